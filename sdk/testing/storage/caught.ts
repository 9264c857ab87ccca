/** The error's code when the promise is rejected; undefined when it is not. */
export async function caught(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}
