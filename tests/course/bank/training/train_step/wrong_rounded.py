# Rounds the loss to four decimals for the log.


def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return round(loss.item(), 4)
