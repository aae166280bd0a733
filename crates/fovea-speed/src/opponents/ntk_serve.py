"""What the programs for tangent kernels share: the same network, and answering requests.

Each line on stdin is a request in JSON, each line on stdout its answer:

    {"prepare": {sizes, dtype}}   compiles and warms up     {"routes": names of ways to find the kernel}
    {"kernel": route}             the kernel                {"kernel": its entries row by row}
    {"run": route}                finds it, timed           {"cpu": s a kernel, "used": CPU s in all}
"""
REPEAT = 0.1  # CPU seconds of a timed run, about


def mix(x):
    """A 32-bit avalanche."""
    x = (x ^ (x >> 16)) * np.uint32(0x21F0AAAD)
    x = (x ^ (x >> 15)) * np.uint32(0xD35A2D97)
    return x ^ (x >> 15)


def numbers(table, shape):
    """Uniform numbers of mean 0 and variance 1: a hash of their place."""
    place = np.arange(np.prod(shape), dtype=np.uint32)
    bits = mix(mix(place) + np.uint32(table * 0x9E3779B9 & 0xFFFFFFFF))
    return (((bits >> 8) / 2.0**24 - 0.5) * 12**0.5).reshape(shape)


class Given:
    """The network and its inputs: rows of weights are units, factors stand before them."""

    def __init__(self, words):
        dtype = np.float32 if words["dtype"] == "f32" else np.float64
        self.sizes = [words["entries"]] + [words["width"]] * words["depth"] + [1]
        self.weights = [
            numbers(table, (units, inputs)).astype(dtype)
            for table, (inputs, units) in enumerate(zip(self.sizes, self.sizes[1:]), 1)
        ]
        self.factors = [dtype(np.sqrt(2 / inputs)) for inputs in self.sizes[:-1]]
        self.x = numbers(0, (words["inputs"], words["entries"])).astype(dtype)
        self.double = words["dtype"] == "f64"


def serve(name, version, build):
    """build(given) makes {route: function without arguments that finds the kernel and waits for it}."""
    answer(name=name, version=version)
    routes, counts = {}, {}
    for line in sys.stdin:
        request, began = json.loads(line), time.process_time()
        if "prepare" in request:
            routes = build(Given(request["prepare"]))
            for route, find in routes.items():
                find()  # compiles, warms up
                start = time.process_time()
                find()
                counts[route] = max(1, round(REPEAT / max(time.process_time() - start, 1e-6)))
            answer(routes=list(routes))
        elif "kernel" in request:
            answer(kernel=np.asarray(routes[request["kernel"]](), np.float64).ravel().tolist())
        else:
            find, count = routes[request["run"]], counts[request["run"]]
            start = time.process_time()
            for _ in range(count):
                find()
            now = time.process_time()
            answer(cpu=(now - start) / count, used=now - began)
