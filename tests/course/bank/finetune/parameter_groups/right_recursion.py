# Walks down the modules itself and never looks at a parameter twice.
def parameter_groups(model, head, lr):
    seen = set()

    def below(module):
        found = [p for p in module._parameters.values() if p is not None and id(p) not in seen]
        seen.update(map(id, found))
        for child in module.children():
            found += below(child)
        return found

    fast = below(getattr(model, head))
    return [dict(params=below(model), lr=lr / 10), dict(params=fast, lr=lr)]
