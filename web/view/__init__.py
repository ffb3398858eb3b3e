"""What the result page shows beside the report: taken from a check, or worked out from it."""
