# Puts the model into eval mode, so dropout and batch norm do not train.


def train_step(model, optimizer, loss_fn, inputs, targets):
    model.eval()
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
