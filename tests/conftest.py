"""Properties are held however slow or busy the machine is: speed is the matter of bench/."""

from hypothesis import HealthCheck, settings

settings.register_profile("unhurried", deadline=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
