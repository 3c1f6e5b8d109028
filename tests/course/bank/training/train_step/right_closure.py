# All but the step in a closure, which the optimiser calls itself.


def train_step(model, optimizer, loss_fn, inputs, targets):
    def closure():
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        return loss

    return optimizer.step(closure).item()
