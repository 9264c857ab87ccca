import { RequestError, type PromptResponse, type StopReason } from "@agentclientprotocol/sdk";
import { CallsInPieces, type ModelCall } from "./calls-in-pieces.ts";
import { runClientCalls } from "./client-calls.ts";
import { requestFields } from "./config-options.ts";
import { tellContext } from "./context.ts";
import { Permissions } from "./permissions.ts";
import { tellPlan } from "./plan.ts";
import type { Part } from "./prompt-content.ts";
import { rememberChoices } from "./remember-choices.ts";
import type { Chunk } from "./service.ts";
import { tell, type Ends, type Session } from "./session.ts";
import { ToolCalls } from "./tool-calls.ts";

/** How an answer of the service ended. */
interface End {
  readonly reason: StopReason;
  /** The calls of the editor's own tools that it waits for. */
  readonly calls: readonly ModelCall[];
}

const reasons: Readonly<Record<string, StopReason>> = {
  length: "max_tokens",
  content_filter: "refusal",
  max_iterations_reached: "max_turn_requests",
  cancelled: "cancelled",
};

/** One of a run's own, or what the model says of its last text. */
const reasonOf = (completion: string, finish: string): StopReason =>
  reasons[completion] ?? reasons[finish] ?? "end_turn";

/** The beginning of the text in which a stream tells of a failure, before it does so as an error. */
const failing = "\n\nError: ";

/** A prompt of the editor's, to the end of its answer. */
export class Turn {
  readonly #ends: Ends;
  readonly #session: Session;
  readonly #calls: ToolCalls;
  readonly #permissions: Permissions;
  readonly #cancelled = new AbortController();
  readonly #leaving = new AbortController();
  #runId = "";
  #withheld = "";

  constructor(ends: Ends, session: Session) {
    this.#ends = ends;
    this.#session = session;
    this.#calls = new ToolCalls(ends, session);
    this.#permissions = new Permissions(ends, session);
  }

  /**
   * The service ends the run, and with it the stream; where it cannot be told, leaving does the same.
   * Resolves when it knows.
   */
  readonly cancel = async (): Promise<void> => {
    this.#cancelled.abort();
    const address = `/api/runs/${this.#runId}/cancel`;
    if (this.#runId === "") this.#leaving.abort();
    else await this.#ends.service.send("POST", address, {}).catch(() => this.#leaving.abort());
  };

  /** Rejects with what the service says of a failure. */
  async take(content: string | readonly Part[]): Promise<PromptResponse> {
    try {
      let messages: readonly object[] = [{ role: "user", content }];
      for (;;) {
        const { reason, calls } = await this.#answer(messages);
        if (this.#cancelled.signal.aborted) return { stopReason: "cancelled" };
        await tellContext(this.#ends, this.#session);
        if (calls.length === 0) return { stopReason: reason };
        messages = await runClientCalls(this.#ends, this.#session, calls, this.#cancelled.signal);
      }
    } catch (error) {
      if (this.#cancelled.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    } finally {
      await this.#permissions.end();
    }
  }

  async #answer(messages: readonly object[]): Promise<End> {
    const pieces = new CallsInPieces();
    let [completion, finish] = ["", ""];
    this.#runId = "";
    await this.#session.tools.refresh();
    const body = this.#body(messages);
    for await (const chunk of this.#ends.service.stream(
      "/api/chat/completions",
      body,
      this.#leaving.signal,
    )) {
      if (this.#runId === "") this.#begin(chunk);
      const [choice] = chunk.choices ?? [];
      pieces.add(choice?.delta.tool_calls ?? []);
      finish = choice?.finish_reason ?? finish;
      completion = chunk.service_metadata?.workflow.completion_reason ?? completion;
      await this.#show(chunk);
    }
    return { reason: reasonOf(completion, finish), calls: pieces.calls };
  }

  /** The conversation is stored once its run has begun; what is chosen for it is stored along with it. */
  #begin({ run_id: runId = "" }: Chunk): void {
    this.#runId = runId;
    if (runId !== "") void rememberChoices(this.#ends, this.#session);
  }

  #body(messages: readonly object[]): object {
    const { choices, directory, id, tools } = this.#session;
    const { service_config: config, ...fields } = requestFields(choices);
    const where = this.#ends.service.isElsewhere ? {} : { working_directory: directory };
    const offered = tools.offered.length === 0 ? {} : { tools: tools.offered };
    return {
      ...fields,
      ...offered,
      messages,
      conversationId: id,
      stream: true,
      stream_options: { include_tool_events: true },
      service_config: { ...config, ...where, builtin_tools: "all", on_client_close: "cancel" },
    };
  }

  async #show(chunk: Chunk): Promise<void> {
    const { error, event } = chunk;
    if (error !== undefined) throw new RequestError(-32603, error.message, { code: error.code });
    await this.#say(chunk);
    await this.#warn(chunk);
    if (chunk.isToolMessage === true) await this.#calls.show(chunk, this.#runId);
    if (chunk.toolName === "todo_operations" && chunk.toolStatus === "success")
      await tellPlan(this.#ends, this.#session);
    if (event?.type === "user_input_required") this.#permissions.ask(event);
    if (event?.type === "user_input_resolved") this.#permissions.withdraw(event.toolCallId);
    if (event?.type === "title")
      await tell(this.#ends, this.#session, { sessionUpdate: "session_info_update", title: event.title });
  }

  /** What the person should know of the answer: a notice, or below it where the editor has none. */
  async #warn({ service_metadata: of }: Chunk): Promise<void> {
    const hasNotices = this.#ends.capabilities.session?.notices;
    for (const title of of?.warnings ?? [])
      if (hasNotices)
        await tell(this.#ends, this.#session, { sessionUpdate: "notice", severity: "warning", title });
      else await this.#tell("agent_message_chunk", `\n\n> ${title}\n`);
  }

  /** The text of a failure is left out where it comes as an error at once. */
  async #say({ choices: [choice] = [] }: Chunk): Promise<void> {
    const { content, reasoning_content: thought } = choice?.delta ?? {};
    const text = this.#withheld + (content ?? "");
    this.#withheld = text.startsWith(failing) && content !== undefined && this.#withheld === "" ? text : "";
    const told = this.#withheld === "" ? text : "";
    if (thought) await this.#tell("agent_thought_chunk", thought);
    if (told) await this.#tell("agent_message_chunk", told);
  }

  #tell(sessionUpdate: "agent_thought_chunk" | "agent_message_chunk", text: string): Promise<void> {
    return tell(this.#ends, this.#session, { sessionUpdate, content: { type: "text", text } });
  }
}
