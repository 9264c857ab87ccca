import {
  AppError,
  defined,
  newId,
  type Caller,
  type Conversation,
  type HandCall,
  type ToolService,
} from "@pergola/sdk";
import { pick, placeOf, type CallEnd, type StoredApproval } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import { callTool } from "./call-tool.ts";
import { isHarmless } from "./describe-tool.ts";
import { displayOf } from "./check-call.ts";
import { failed } from "./guards.ts";

const waits = failed(
  "approval_required",
  "The call waits for an approval.",
  "Answer it with POST /api/chat/tool-response.",
);

/** Who has made the calls from before there were other callers. */
const owner: Caller = {
  kind: "owner",
  id: "hand",
  name: "owner",
  remote: false,
  scopes: ["read", "chat", "tools", "approve", "admin"],
  root: null,
};

const sceneOf = ({ conversations }: Bench, conversation: Conversation, workingDirectory: string) => ({
  conversation,
  scope: conversations.scopeOf(conversation),
  workingDirectory,
  run: null,
  contextWindow: 0,
  switches: {},
  denials: new Map<string, number>(),
});

/** Tools called by hand, through the same door as a model's calls. */
export class HandCalls {
  readonly #bench: Bench;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /**
   * A blocked call is waited for `waitSeconds`; later, when it is approved, it runs all the same and its
   * approval holds the result.
   */
  async call(call: HandCall): ReturnType<ToolService["call"]> {
    const conversation = await this.#conversation(call);
    placeOf(this.#bench, conversation);
    const workingDirectory =
      call.workingDirectory ?? (await this.#bench.conversations.workingDirectoryOf(conversation));
    if (call.caller.root !== null)
      await this.#bench.conversations.checkWorkingDirectory(workingDirectory, call.caller);
    const leaving = new AbortController();
    const request = { id: newId.toolCall(), name: call.name, arguments: call.arguments };
    let approvalId: string | undefined;
    let ask!: (id: string) => void;
    const question = new Promise<string>((resolve) => (ask = resolve));
    const leave = (): void => {
      if (approvalId === undefined) leaving.abort(call.signal.reason);
    };
    call.signal.addEventListener("abort", leave, { once: true });
    const { caller, userInitiated, cancel, watch } = call;
    const signal = cancel === undefined ? leaving.signal : AbortSignal.any([leaving.signal, cancel]);
    const onQuestion = (id: string): void => {
      ask((approvalId = id));
      watch?.onQuestion?.(id);
    };
    const onProgress = (text: string): void => watch?.onProgress?.(text);
    const setting = {
      ...sceneOf(this.#bench, conversation, workingDirectory),
      caller,
      userInitiated,
      signal,
      onQuestion,
      onProgress,
    };
    const done = callTool(this.#bench, request, setting).then(async (end) => {
      // What was asked for ends with the result that its question holds.
      if (approvalId === undefined && !isHarmless(end.effect))
        await this.#bench.stores.calls.delete(end.callId);
      return end;
    });
    const late = question.then(async (id) => this.#afterWaiting(id, done, call.waitSeconds));
    const end = await Promise.race([done, late]).finally(() =>
      call.signal.removeEventListener("abort", leave),
    );
    if (end !== undefined) return pick(end, "tool", "callId", "result", "display");
    const found = this.#bench.toolbox.find(call.name);
    const tool = found?.entry.tool.name ?? call.name;
    const display = displayOf(tool, {}, found?.entry.tool.icon);
    return {
      tool,
      callId: request.id,
      ...defined({ approvalId }),
      result: waits,
      display,
    };
  }

  /** After a start: answers that came too late for the last host, and calls that its end has cut. */
  async recover(): Promise<void> {
    const byHand = await this.#bench.stores.approvals.find({ runId: null }, { limit: 100_000 });
    for (const approval of byHand.filter(({ status, result }) => status === "answered" && result === null))
      await this.#bench.approvals.resumeByHand(approval);
  }

  /** Runs a call whose approval was answered. */
  async resume({ id, toolCallId, conversationId, tool, operation, byHand }: StoredApproval): Promise<void> {
    const conversation = await this.#bench.conversations.find(conversationId);
    if (conversation === undefined || byHand === undefined) return;
    const request = { id: toolCallId, name: `${tool}.${operation}`, arguments: byHand.arguments };
    const setting = {
      ...sceneOf(this.#bench, conversation, byHand.workingDirectory),
      caller: byHand.caller ?? owner,
      userInitiated: false,
      signal: new AbortController().signal,
      resumed: true,
    };
    this.#storeResult(id, callTool(this.#bench, request, setting));
  }

  #storeResult(approvalId: string, done: Promise<CallEnd>): void {
    void done
      .then(({ result }) => this.#bench.approvals.setResult(approvalId, result as never))
      .catch((error: unknown) =>
        this.#bench.log.error({ error }, "an approval's result could not be stored"),
      );
  }

  async #afterWaiting(id: string, done: Promise<CallEnd>, seconds: number): Promise<CallEnd | undefined> {
    this.#storeResult(id, done);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>(
      (resolve) => (timer = setTimeout(() => resolve(undefined), seconds * 1000).unref()),
    );
    return Promise.race([done, late]).finally(() => clearTimeout(timer));
  }

  async #conversation({
    conversationId = "debug",
    workingDirectory,
    caller,
  }: HandCall): Promise<Conversation> {
    if (workingDirectory !== undefined)
      await this.#bench.conversations.checkWorkingDirectory(workingDirectory, caller);
    const { conversations } = this.#bench;
    const found = await conversations.find(conversations.idOf(conversationId));
    if (found !== undefined) return found;
    if (conversationId !== "debug")
      throw new AppError({ code: "not_found", message: `There is no conversation "${conversationId}".` });
    return conversations
      .create({ id: "debug", title: "Calls by hand", hidden: true }, caller)
      .catch(() => conversations.get("debug"));
  }
}
