import { until, type Bench } from "./context.ts";

/** Whether sessions are held on terminals here. */
export const hasTerminals = await import("node-pty").then(
  () => true,
  () => false,
);

/** Types, and waits until the session's output since then matches. */
export async function dialogue(
  { tell }: Bench,
  session_id: string,
  input: string,
  expected: RegExp,
): Promise<string> {
  const { from_index } = await tell("send_input", { session_id, input });
  let output = "";
  await until(`${input} is answered by ${String(expected)}`, async () => {
    ({ output } = await tell("get_output", { session_id, from_index }));
    return expected.test(output);
  }).catch((error: Error) => {
    throw new Error(`${error.message}; it was: ${JSON.stringify(output)}`, { cause: error });
  });
  return output;
}
