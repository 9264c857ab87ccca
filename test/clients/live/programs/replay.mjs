// What the programs that replay a client's requests share.

/** Sends a request as the client does; throws what the service says where it refuses. */
export async function send({ url, signal }, path, body, headers = {}) {
  const answer = await fetch(url + path, {
    signal,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
  });
  if (answer.ok) return answer;
  const { error } = await answer.json();
  throw Object.assign(new Error(error?.message ?? error), { status: answer.status });
}

export const get = async (context, path, headers) => (await send(context, path, undefined, headers)).json();

/** The lines of a stream, without their ends. */
export async function* linesOf(answer) {
  let rest = "";
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop();
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}

/** A streamed answer of `/api/chat`, as one message. */
export async function chat(context, body, headers) {
  const whole = { role: "assistant", content: "", tool_calls: [] };
  const answer = await send(context, "/api/chat", { ...body, stream: true }, headers);
  for await (const line of linesOf(answer)) {
    const { message = {}, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(error);
    if (message.content) context.wroteText(message.content);
    whole.content += message.content ?? "";
    whole.tool_calls.push(...(message.tool_calls ?? []));
  }
  return whole;
}

/** Asks until the model calls no tool any more. `toolMessage` is how the client sends a tool's answer. */
export async function converse(context, { ask, toolMessage, callOf = (call) => call.function.arguments }) {
  const messages = [...(context.state ?? []), { role: "user", content: context.prompt }];
  for (;;) {
    const answer = await ask(messages);
    messages.push(answer);
    if (!answer.tool_calls?.length) return { text: answer.content, state: messages };
    for (const call of answer.tool_calls)
      messages.push(toolMessage(call, await context.readStone(callOf(call))));
  }
}
