/** What fails in this process, while something is done, without anybody who awaits it. */
export async function strayFailures(act: () => Promise<void>): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  const note = (failure: unknown): void => void failures.push(failure);
  const events = ["unhandledRejection", "uncaughtException"] as const;
  const others = events.map((event) => ({ event, listeners: process.listeners(event as "exit") }));
  for (const event of events) process.removeAllListeners(event).on(event, note);
  try {
    await act();
  } finally {
    for (const { event, listeners } of others) {
      process.removeListener(event, note);
      for (const listener of listeners) process.on(event as "exit", listener);
    }
  }
  return failures;
}
