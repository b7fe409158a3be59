"""What was approved is carried out by proposals and scheduled jobs; this says what waits for approval."""
