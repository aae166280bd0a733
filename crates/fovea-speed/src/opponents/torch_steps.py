"""The PyTorch opponent: eager, gradient by hand, every buffer made once and every kernel in place.

The deviation of the data is folded into the weights, the gain into the colouring: normals, one product a class, erf.
"""
try:
    import torch
except ImportError as error:
    missing(error)

torch.set_num_threads(1)


class Fields:
    """Batches of erf(gain z), not yet of unit variance."""

    def __init__(self, workload, route):
        n, gain, half = workload["n"], workload["gain"], workload["batch"] // 2
        self.n, self.half, self.route = n, half, route
        self.scale = one_over_deviation(gain)
        single = lambda array: torch.tensor(gain * array, dtype=torch.float32)
        if route == "modes":
            self.colour = [single(coloured_modes(n, xi)) for xi in workload["xi"]]
            self.noise = [torch.empty(half, len(rows)) for rows in self.colour]
            self.x = torch.empty(2 * half, n)
            self.parts = [self.x[:half], self.x[half:]]
        else:
            rows = [single(half_amplitudes(n, xi))[:, None].repeat(1, 2) for xi in workload["xi"]]
            self.colour = rows
            self.noise = torch.empty(2 * half, n // 2 + 1, 2)

    def draw(self):
        if self.route == "modes":
            for noise, rows, part in zip(self.noise, self.colour, self.parts):
                torch.mm(noise.normal_(), rows, out=part)
            return self.x.erf_()
        self.noise.normal_()
        self.noise[: self.half].mul_(self.colour[0])
        self.noise[self.half :].mul_(self.colour[1])
        return torch.fft.irfft(torch.view_as_complex(self.noise), n=self.n).erf_()


class Pulses:
    """Rows of a table of all pulses."""

    def __init__(self, workload, _):
        half = workload["batch"] // 2
        tables = [pulses(workload["n"], *lengths) for lengths in workload["pulse"]]
        self.tables = [torch.tensor(table, dtype=torch.float32) for table in tables]
        self.scale, self.x = 1.0, torch.empty(2 * half, workload["n"])
        self.parts = [self.x[:half], self.x[half:]]
        self.picked = torch.empty(half, dtype=torch.int64)

    def draw(self):
        for table, part in zip(self.tables, self.parts):
            torch.index_select(table, 0, self.picked.random_(len(table)), out=part)
        return self.x


def build(workload, route, steps):
    n, width, batch, lr, bias = (workload[key] for key in ("n", "width", "batch", "lr", "bias"))
    data = (Pulses if "pulse" in workload else Fields)(workload, route)
    scale, relu = data.scale, workload["activation"] == "relu"
    labels = torch.arange(2).repeat_interleave(batch // 2).float()
    mean, ones = torch.full((width,), 1 / width), torch.ones(batch)
    h, error, scaled = torch.empty(batch, width), torch.empty(batch), torch.empty(width, n)
    column = error[:, None]

    def answers(weights, biases, x):
        torch.mul(weights, scale, out=scaled)
        if bias:
            torch.addmm(biases, x, scaled.T, out=h)
        else:
            torch.mm(x, scaled.T, out=h)
        return h.relu_() if relu else h.sigmoid_()

    def step(weights, biases):
        x = data.draw()
        a = answers(weights, biases, x)
        torch.mv(a, mean, out=error).sub_(labels).mul_(1 / (batch * width))
        delta = (a.sign_() if relu else a.addcmul_(a, a, value=-1)).mul_(column)
        weights.addmm_(delta.T, x, alpha=-lr * scale)
        if bias:
            biases.addmv_(delta.T, ones, alpha=-lr)

    def train(weights, biases, seed):
        torch.manual_seed(seed)
        state = torch.from_numpy(weights), torch.from_numpy(biases)
        with torch.inference_mode():
            for _ in range(steps):
                step(*state)
        return state

    def loss(state, seed):
        torch.manual_seed(seed + 2**31)
        count = -(-EVALUATED // batch)
        with torch.inference_mode():
            once = lambda: 0.5 * float(((answers(*state, data.draw()) @ mean - labels) ** 2).mean())
            return sum(once() for _ in range(count)) / count

    return train, loss


serve("torch", torch.__version__, build)
