"""What both opponents in training share: the law of the samples, and answering requests.

Each line on stdin is a request in JSON, each line on stdout its answer:

    {"prepare": {workload}}   compiles and warms up             {"route": how samples are coloured}
    {"run": seed}             trains a fresh network, timed     {"cpu": s, "loss": on fresh samples, "used": CPU s in all}

The loss is 1/2 mean (y_hat - y)^2, labels are 0 for the first half of a batch (class neg) and 1 for the second (pos).
"""
EVALUATED = 40_000  # samples of a held-out loss
MODE_FLOOR = 1e-7  # modes below this share of the largest eigenvalue are lost in single precision


def spectrum(n, xi):
    """Eigenvalues of exp(-d^2/xi^2) on the ring, by frequency."""
    d = np.minimum(np.arange(n), n - np.arange(n))
    return np.maximum(np.fft.fft(np.exp(-((d / xi) ** 2))).real, 0.0)


def coloured_modes(n, xi):
    """Rows are the real Fourier modes that matter, each times the root of its eigenvalue: normals @ rows is a sample."""
    eigs, sites = spectrum(n, xi), np.arange(n)
    rows = []
    for k in range(n // 2 + 1):
        if eigs[k] <= MODE_FLOOR * eigs.max():
            continue
        alone = k == 0 or 2 * k == n
        scale = np.sqrt(eigs[k] * (1 if alone else 2) / n)
        rows.append(scale * np.cos(2 * np.pi * k * sites / n))
        if not alone:
            rows.append(scale * np.sin(2 * np.pi * k * sites / n))
    return np.array(rows)


def half_amplitudes(n, xi):
    """Scales of the complex normals of a real inverse transform of length n."""
    scale = np.sqrt(spectrum(n, xi)[: n // 2 + 1] * n / 2)
    scale[0] *= np.sqrt(2)
    if n % 2 == 0:
        scale[-1] *= np.sqrt(2)
    return scale


def one_over_deviation(gain):
    """1 over the standard deviation of erf(gain z)."""
    return float(1 / np.sqrt(2 / np.pi * np.arcsin(2 * gain**2 / (1 + 2 * gain**2))))


def pulses(n, shortest, longest):
    """Every pulse of the class and its complement, 1 on 0, a row each; all are equally likely."""
    sites = np.arange(n)
    on = [(sites - s) % n < w for s in range(n) for w in range(shortest, longest + 1)]
    rows = np.array(on, dtype=float)
    return np.concatenate([rows, 1 - rows])


def routes(workload):
    """How samples can be coloured; on small rings the transform never pays."""
    if "pulse" in workload:
        return ["table"]
    return ["modes"] if workload["n"] < 100 else ["modes", "fft"]


def glorot(workload, seed):
    """Initial weights and biases."""
    shape = workload["width"], workload["n"]
    weights = np.random.default_rng(seed).normal(size=shape) * np.sqrt(2 / sum(shape))
    return weights.astype(np.float32), np.zeros(workload["width"], np.float32)


def serve(name, version, build):
    """build(workload, route, steps) makes train(weights, biases, seed) -> state, and loss(state, seed)."""
    answer(name=name, version=version)
    workload = train = loss = None

    def timed(seed):
        start = glorot(workload, seed)
        began = time.process_time()
        state = train(*start, seed)
        return state, time.process_time() - began

    for line in sys.stdin:
        request, began = json.loads(line), time.process_time()
        if "prepare" in request:
            workload = request["prepare"]
            tried = []
            for route in routes(workload):
                train, loss = build(workload, route, workload["steps"])
                timed(1)  # compiles, warms up
                tried.append((timed(2)[1], route, train, loss))
            _, route, train, loss = min(tried, key=lambda one: one[0])
            loss(timed(3)[0], 3)
            answer(route=route)
        else:
            seed = request["run"]
            state, cpu = timed(seed)
            answer(cpu=cpu, loss=float(loss(state, seed)), used=time.process_time() - began)
