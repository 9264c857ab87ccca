import type {
  PermissionOption,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import type { Preview } from "@pergola/sdk/host";
import { askClient, type Decision } from "./ask-client.ts";
import { askQuestion } from "./ask-question.ts";
import { diffsOf } from "./diffs.ts";
import type { Question, Service } from "./service.ts";
import { cancel, tell, type Ends, type Session } from "./session.ts";
import { textContent } from "./tool-calls.ts";
import { kindOf } from "./tool-kind.ts";

const options: PermissionOption[] = [
  { optionId: "once", kind: "allow_once", name: "Allow this once" },
  { optionId: "conversation", kind: "allow_always", name: "Allow for the rest of this conversation" },
  { optionId: "no", kind: "reject_once", name: "Do not allow" },
];

const decisions: Readonly<Record<string, Decision>> = {
  once: { approved: true },
  conversation: { approved: true, grant: "conversation" },
  no: { approved: false },
};

/** What a call would do, in the words of its preview. */
function effectOf({ files, command, recipients, note }: Preview): readonly ToolCallContent[] {
  const lines = [
    ...(command ? [command.line, `in ${command.workingDirectory}`] : []),
    ...recipients.map(({ name, address }) => `to ${name} ${address}`.trim()),
    ...files.filter(({ diff }) => !diff?.hunks).map(({ path, change }) => `${change}: ${path}`),
    ...(note === null ? [] : [note]),
  ];
  const diffs = files.flatMap(({ path, change, diff }) =>
    diff?.hunks ? diffsOf({ path, change, hunks: diff.hunks }) : [],
  );
  return [...(lines.length > 0 ? [textContent(lines.join("\n"))] : []), ...diffs];
}

/** Everything that is to be decided on. */
function callOf({ context, preview, ...question }: Question): ToolCallUpdate {
  const { toolCallId, prompt, tool, operation, paths } = question;
  return {
    toolCallId,
    title: prompt,
    kind: kindOf(tool, operation),
    status: "pending",
    rawInput: question.arguments,
    locations: paths.map((path) => ({ path })),
    content: [...(context ? [textContent(context)] : []), ...(preview ? effectOf(preview) : [])],
  };
}

/** Puts the questions of a turn to the person at the editor, and sends the answers to the service. */
export class Permissions {
  readonly #ends: Ends;
  readonly #session: Session;
  readonly #open = new Map<string, AbortController>();
  readonly #asking = new Set<Promise<void>>();

  constructor(ends: Ends, session: Session) {
    this.#ends = ends;
    this.#session = session;
  }

  /** Does not wait for the answer. */
  ask(question: Question): void {
    const closing = new AbortController();
    this.#open.set(question.toolCallId, closing);
    const asking = this.#put(question, closing.signal)
      .catch((error: unknown) =>
        closing.signal.aborted ? undefined : this.#say(question, (error as Error).message),
      )
      // The editor has gone.
      .catch(() => undefined);
    this.#asking.add(asking);
    void asking.finally(() => this.#asking.delete(asking));
  }

  /** Withdraws a question that was answered, here or elsewhere, or needs no answer any more. */
  withdraw(toolCallId: string): void {
    this.#open.get(toolCallId)?.abort();
    this.#open.delete(toolCallId);
  }

  /** Withdraws all, and resolves when nothing is asked any more. */
  async end(): Promise<void> {
    for (const toolCallId of this.#open.keys()) this.withdraw(toolCallId);
    await Promise.all(this.#asking);
  }

  async #put(question: Question, signal: AbortSignal): Promise<void> {
    const { service } = this.#ends;
    const { toolCallId } = question;
    const whole = { ...question, ...(await storedQuestion(service, question)) };
    if (signal.aborted) return;
    const decision = await this.#decide(whole, signal);
    if (signal.aborted) return;
    if (decision === undefined) return cancel(this.#session);
    await service.send("POST", "/api/chat/tool-response", { toolCallId, ...decision });
  }

  async #decide(question: Question, signal: AbortSignal): Promise<Decision | undefined> {
    if (question.kind === "question") return askQuestion(this.#ends, this.#session, question, signal);
    const request = { sessionId: this.#session.id, toolCall: callOf(question), options };
    const chosen = await askClient(this.#ends, request, signal);
    return chosen === undefined ? undefined : (decisions[chosen] ?? decisions["no"]);
  }

  /** What could not be asked stays open for who answers elsewhere. */
  #say({ toolCallId, approvalId }: Question, fault: string): Promise<void> {
    const words = `${fault}\nIt can be answered elsewhere: pergola approvals show ${approvalId}`;
    const update: SessionUpdate = {
      sessionUpdate: "tool_call_update",
      toolCallId,
      content: [textContent(words)],
    };
    return tell(this.#ends, this.#session, update);
  }
}

/** The question with each line that the call would change; what the caller may not see is left out. */
const storedQuestion = (service: Service, { approvalId }: Question): Promise<Partial<Question>> =>
  service
    .send<Question>("GET", `/api/approvals/${encodeURIComponent(approvalId)}`)
    .then(({ preview, arguments: args, paths }) => ({ preview: preview ?? null, arguments: args, paths }))
    .catch(() => ({}));
