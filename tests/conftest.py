from hypothesis import HealthCheck, settings

# The same examples every time, however busy the machine.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")
