/** What an attempt came to: the code of its failure, or `DONE` with what it got. */
export async function tried(attempt: () => unknown): Promise<string> {
  try {
    const got = await attempt();
    return `DONE ${String(got).slice(0, 200)}`;
  } catch (error) {
    const { code, message, cause } = error as NodeJS.ErrnoException & {
      readonly cause?: NodeJS.ErrnoException;
    };
    return String(cause?.code ?? code ?? message);
  }
}

/** An attempt that ends with an event. */
export const eventually = (
  begin: (resolve: (value: unknown) => void, reject: (error: Error) => void) => void,
) =>
  new Promise((resolve, reject) => {
    begin(resolve, reject);
    setTimeout(() => reject(new Error("nothing happened")), 3000).unref();
  });
