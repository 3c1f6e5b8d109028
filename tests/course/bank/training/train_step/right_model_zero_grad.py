# Lets the model clear its own gradients.


def train_step(model, optimizer, loss_fn, inputs, targets):
    model.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.detach().item()
