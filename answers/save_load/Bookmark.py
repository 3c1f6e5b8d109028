# %% right_flat: One flat dictionary, each thing copied for itself.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": dict(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "own": run.generator.get_state(),
            "torch": torch.get_rng_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order, run.step, run.best = state["order"], state["step"], state["best"]
        run.generator.set_state(state["own"])
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% right_cloned_by_hand: Clones tensors in a nested walk instead of deepcopy.
import random

import torch


def frozen(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: frozen(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(frozen(one) for one in value)
    return value


class Bookmark:
    def state(self, run):
        parts = [run.model, run.optimizer, run.scheduler, run.average]
        rest = [run.order, run.step, run.best, run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        return {"parts": frozen([part.state_dict() for part in parts]), "rest": frozen(rest)}

    def restore(self, run, state):
        for part, saved in zip([run.model, run.optimizer, run.scheduler, run.average], state["parts"], strict=True):
            part.load_state_dict(saved)
        run.order, run.step, run.best, own, everybodys, python = state["rest"]
        run.generator.set_state(own)
        torch.random.set_rng_state(everybodys)
        random.setstate(python)


# %% right_whole_vars: Goes through the attributes of the run, whatever they are.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        saved = {}
        for name, value in vars(run).items():
            if hasattr(value, "state_dict"):
                saved[name] = value.state_dict()
            elif isinstance(value, torch.Generator):
                saved[name] = value.get_state()
            else:
                saved[name] = value
        return copy.deepcopy({"run": saved, "torch": torch.get_rng_state(), "python": random.getstate()})

    def restore(self, run, state):
        for name, value in state["run"].items():
            mine = getattr(run, name)
            if hasattr(mine, "load_state_dict"):
                mine.load_state_dict(value)
            elif isinstance(mine, torch.Generator):
                mine.set_state(value)
            else:
                setattr(run, name, value)
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% right_bytes: The dictionary holds the bytes of a file written at once.
import io
import random

import torch


class Bookmark:
    def state(self, run):
        file = io.BytesIO()
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        rest = {n: getattr(run, n) for n in ("order", "step", "best")}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        torch.save([parts, rest, chance], file)
        return {"file": torch.frombuffer(bytearray(file.getvalue()), dtype=torch.uint8)}

    def restore(self, run, state):
        parts, rest, (own, everybodys, python) = torch.load(io.BytesIO(bytes(state["file"].tolist())))
        for name, part in parts.items():
            getattr(run, name).load_state_dict(part)
        vars(run).update(rest)
        run.generator.set_state(own)
        torch.set_rng_state(everybodys)
        random.setstate(python)


# %% wrong_model_alone: Saves the model only.
import copy


class Bookmark:
    def state(self, run):
        return {"model": copy.deepcopy(run.model.state_dict()), "step": run.step}

    def restore(self, run, state):
        run.model.load_state_dict(state["model"])
        run.step = state["step"]


# %% wrong_shallow: dict() of each state_dict: a new dictionary, the same tensors.
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: dict(getattr(run, n).state_dict()) for n in ("model", "optimizer", "scheduler", "average")}
        rest = {"order": list(run.order), "step": run.step, "best": dict(run.best)}
        return {**parts, **rest, "rng": [run.generator.get_state(), torch.get_rng_state(), random.getstate()]}

    def restore(self, run, state):
        for name in ("model", "optimizer", "scheduler", "average"):
            getattr(run, name).load_state_dict(state[name])
        run.order, run.step, run.best = state["order"], state["step"], state["best"]
        run.generator.set_state(state["rng"][0])
        torch.set_rng_state(state["rng"][1])
        random.setstate(state["rng"][2])


# %% wrong_order_not_copied: Everything copied but the list, which the run empties.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        state = copy.deepcopy({"parts": parts, "best": run.best, "chance": chance, "step": run.step})
        return {**state, "order": run.order}

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        run.order, run.step, run.best = state["order"], state["step"], state["best"]
        run.generator.set_state(state["chance"][0])
        torch.set_rng_state(state["chance"][1])
        random.setstate(state["chance"][2])


# %% wrong_seeds_again: Seeds the generators instead of putting them back.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        seed = run.generator.initial_seed()
        return copy.deepcopy({"parts": parts, "order": run.order, "step": run.step, "best": run.best, "seed": seed})

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        run.order, run.step, run.best = state["order"], state["step"], state["best"]
        run.generator.manual_seed(state["seed"])
        torch.manual_seed(state["seed"])
        random.seed(state["seed"])


# %% wrong_pickled_whole: Pickles the run; the dictionary holds the object itself.
import copy


class Bookmark:
    def state(self, run):
        return {"run": copy.deepcopy(run.model), "step": run.step}

    def restore(self, run, state):
        run.model = state["run"]
        run.step = state["step"]


# %% wrong_generator_objects: Keeps the generator itself instead of its state.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        rest = copy.deepcopy({"parts": parts, "order": run.order, "step": run.step, "best": run.best})
        return {**rest, "own": run.generator, "torch": torch.get_rng_state(), "python": random.getstate()}

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        run.order, run.step, run.best = state["order"], state["step"], state["best"]
        run.generator = state["own"]
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% wrong_loss_alone: Of the best it keeps the loss and forgets the weights.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        state = {"parts": parts, "order": run.order, "step": run.step, "loss": run.best["loss"], "chance": chance}
        return copy.deepcopy(state)

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        run.order, run.step = state["order"], state["step"]
        run.best["loss"] = state["loss"]
        run.generator.set_state(state["chance"][0])
        torch.set_rng_state(state["chance"][1])
        random.setstate(state["chance"][2])


# %% wrong_best_from_model: Rebuilds the best weights from the weights of today.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        state = {"parts": parts, "order": run.order, "step": run.step, "loss": run.best["loss"], "chance": chance}
        return copy.deepcopy(state)

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        run.order, run.step = state["order"], state["step"]
        run.best = {"loss": state["loss"], "weights": copy.deepcopy(run.model.state_dict())}
        run.generator.set_state(state["chance"][0])
        torch.set_rng_state(state["chance"][1])
        random.setstate(state["chance"][2])


# %% wrong_no_step: Forgets the number of the step.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        return copy.deepcopy({"parts": parts, "order": run.order, "best": run.best, "chance": chance})

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        run.order, run.best = state["order"], state["best"]
        run.generator.set_state(state["chance"][0])
        torch.set_rng_state(state["chance"][1])
        random.setstate(state["chance"][2])


# %% wrong_last_epoch: Sets the scheduler's last_epoch by hand, and that of the wrong thing.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "average")}
        rest = {"order": run.order, "step": run.step, "best": run.best}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        return copy.deepcopy({"parts": parts, "rest": rest, "chance": chance})

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        vars(run).update(state["rest"])
        run.scheduler.last_epoch = run.step // 4
        run.generator.set_state(state["chance"][0])
        torch.set_rng_state(state["chance"][1])
        random.setstate(state["chance"][2])


# %% wrong_scheduler_late: Builds a scheduler anew when the optimizer is loaded, and loads it then.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        rest = {"order": run.order, "step": run.step, "best": run.best}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        return copy.deepcopy({"parts": parts, "rest": rest, "chance": chance})

    def restore(self, run, state):
        run.model.load_state_dict(state["parts"]["model"])
        run.average.load_state_dict(state["parts"]["average"])
        run.optimizer.load_state_dict(state["parts"]["optimizer"])
        for group in run.optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        run.scheduler.load_state_dict(state["parts"]["scheduler"])
        vars(run).update(state["rest"])
        run.generator.set_state(state["chance"][0])
        torch.set_rng_state(state["chance"][1])
        random.setstate(state["chance"][2])


# %% wrong_draws_on_the_way: Shuffles its order while it takes the state down: the first run is disturbed.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        parts = {n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler", "average")}
        rest = {"order": run.order, "step": run.step, "best": run.best}
        chance = [run.generator.get_state(), torch.get_rng_state(), random.getstate()]
        torch.rand(1)
        return copy.deepcopy({"parts": parts, "rest": rest, "chance": chance})

    def restore(self, run, state):
        for name, part in state["parts"].items():
            getattr(run, name).load_state_dict(part)
        vars(run).update(state["rest"])
        run.generator.set_state(state["chance"][0])
        torch.set_rng_state(state["chance"][1])
        random.setstate(state["chance"][2])


# %% wrong_kept_in_self: Keeps the state in itself instead of in the dictionary.
import copy


class Bookmark:
    kept = None

    def state(self, run):
        self.kept = copy.deepcopy({n: getattr(run, n).state_dict() for n in ("model", "optimizer", "scheduler")})
        return {"step": run.step}

    def restore(self, run, state):
        run.step = state["step"]
        for name, part in (self.kept or {}).items():
            getattr(run, name).load_state_dict(part)


# %% wrong_live: The dictionary holds the running tensors themselves.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": run.model.state_dict(),
            "optimizer": run.optimizer.state_dict(),
            "scheduler": run.scheduler.state_dict(),
            "average": run.average.state_dict(),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.get_state(),
            "torch": torch.get_rng_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.set_state(state["generator"])
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% wrong_average_live: A copy of the average's dictionary only, not of its tensors.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.copy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.get_state(),
            "torch": torch.get_rng_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.set_state(state["generator"])
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% wrong_no_python_random: Forgets Python's generator.
import copy

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.get_state(),
            "torch": torch.get_rng_state(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.set_state(state["generator"])
        torch.set_rng_state(state["torch"])


# %% wrong_no_global_generator: Forgets PyTorch's global generator.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.get_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.set_state(state["generator"])
        random.setstate(state["python"])


# %% wrong_generator_object: The dictionary holds a Generator, which torch.load does not open by default.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.clone_state(),
            "torch": torch.get_rng_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = dict(state)
        run.model.load_state_dict(copy.deepcopy(state["model"]))
        run.optimizer.load_state_dict(copy.deepcopy(state["optimizer"]))
        run.scheduler.load_state_dict(copy.deepcopy(state["scheduler"]))
        run.average.load_state_dict(copy.deepcopy(state["average"]))
        run.order = list(state["order"])
        run.step = state["step"]
        run.best = copy.deepcopy(state["best"])
        run.generator.set_state(state["generator"].get_state())
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% wrong_best_none: Raises as long as best holds no state_dict.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": {
                k: v if isinstance(v, (int, float)) or torch.is_tensor(v) else {n: t.clone() for n, t in v.items()}
                for k, v in run.best.items()
            },
            "generator": run.generator.get_state(),
            "torch": torch.get_rng_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.set_state(state["generator"])
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% wrong_seeds: Keeps the seeds, so the generators start again instead of going on.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.initial_seed(),
            "torch": torch.initial_seed(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.manual_seed(state["generator"])
        torch.manual_seed(state["torch"])
        random.setstate(state["python"])


# %% wrong_average_count: Brings the average's weights but not how many it has averaged.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.module.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.get_state(),
            "torch": torch.get_rng_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.module.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.set_state(state["generator"])
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


# %% right_roundtrip: Torch.save into memory and torch.load make the copies, both ways.
import io
import random

import torch


def through_bytes(thing):
    memory = io.BytesIO()
    torch.save(thing, memory)
    memory.seek(0)
    return torch.load(memory)


class Bookmark:
    WITH_STATE = ("model", "optimizer", "scheduler", "average")
    PLAIN = ("order", "step", "best")

    def state(self, run):
        found = {name: getattr(run, name).state_dict() for name in self.WITH_STATE}
        found |= {name: getattr(run, name) for name in self.PLAIN}
        found["draws"] = (run.generator.get_state(), torch.get_rng_state(), random.getstate())
        return through_bytes(found)

    def restore(self, run, state):
        state = through_bytes(state)
        for name in self.WITH_STATE:
            getattr(run, name).load_state_dict(state[name])
        for name in self.PLAIN:
            setattr(run, name, state[name])
        own, torchs, pythons = state["draws"]
        run.generator.set_state(own)
        torch.default_generator.set_state(torchs)
        random.setstate(pythons)


# %% right_recursive: A function of its own that clones whatever is inside, Python's state as a tensor.
import random

import torch


def clone(thing):
    if isinstance(thing, torch.Tensor):
        return thing.detach().clone()
    if isinstance(thing, dict):
        return {key: clone(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return type(thing)(clone(value) for value in thing)
    return thing


class Bookmark:
    def state(self, run):
        version, numbers, gauss = random.getstate()
        return clone(
            {
                "parts": [part.state_dict() for part in (run.model, run.optimizer, run.scheduler, run.average)],
                "rest": [run.order, run.step, run.best],
                "numbers": torch.tensor(numbers, dtype=torch.int64),
                "version, gauss": [version, gauss],
                "bytes": torch.stack([run.generator.get_state(), torch.get_rng_state()]),
            }
        )

    def restore(self, run, state):
        state = clone(state)
        for part, its in zip((run.model, run.optimizer, run.scheduler, run.average), state["parts"], strict=True):
            part.load_state_dict(its)
        run.order, run.step, run.best = state["rest"]
        version, gauss = state["version, gauss"]
        random.setstate((version, tuple(state["numbers"].tolist()), gauss))
        run.generator.set_state(state["bytes"][0].clone())
        torch.set_rng_state(state["bytes"][1].clone())


# %% right_deepcopy: Written out one by one, the generators first.
import copy
import random

import torch


class Bookmark:
    def state(self, run):
        return {
            "model": copy.deepcopy(run.model.state_dict()),
            "optimizer": copy.deepcopy(run.optimizer.state_dict()),
            "scheduler": copy.deepcopy(run.scheduler.state_dict()),
            "average": copy.deepcopy(run.average.state_dict()),
            "order": list(run.order),
            "step": run.step,
            "best": copy.deepcopy(run.best),
            "generator": run.generator.get_state(),
            "torch": torch.get_rng_state(),
            "python": random.getstate(),
        }

    def restore(self, run, state):
        state = copy.deepcopy(state)
        random.setstate(state["python"])
        torch.random.set_rng_state(state["torch"])
        run.generator.set_state(state["generator"])
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.scheduler.load_state_dict(state["scheduler"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]


# %% wrong_trains_again: Keeps seed and step, and trains the new run to that place.
class Bookmark:
    def state(self, run):
        return {"seed": run.generator.initial_seed(), "step": run.step}

    def restore(self, run, state):
        other = type(run)(state["seed"])
        other.train(state["step"])
        vars(run).update(vars(other))


# %% wrong_scheduler_left_out: trusts that the rate in the optimizer's state is enough
import copy
import random

import torch


class Bookmark:
    """Takes down where a run stands, and brings another run there."""

    def state(self, run):
        return copy.deepcopy(
            {
                "model": run.model.state_dict(),
                "optimizer": run.optimizer.state_dict(),
                "average": run.average.state_dict(),
                "order": run.order,
                "step": run.step,
                "best": run.best,
                "generator": run.generator.get_state(),
                "torch": torch.get_rng_state(),
                "python": random.getstate(),
            }
        )

    def restore(self, run, state):
        state = copy.deepcopy(state)
        run.model.load_state_dict(state["model"])
        run.optimizer.load_state_dict(state["optimizer"])
        run.average.load_state_dict(state["average"])
        run.order = state["order"]
        run.step = state["step"]
        run.best = state["best"]
        run.generator.set_state(state["generator"])
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])
