# Clears after the step: what lay in .grad before this batch still counts.


def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()
