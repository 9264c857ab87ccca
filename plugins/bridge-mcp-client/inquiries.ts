import type { ToolContext } from "@pergola/sdk";
import { answerInquiry } from "./answer-inquiry.ts";
import type { Inquiry, InquiryAnswer } from "./link.ts";

/** Questions that a server may put to the person during one call. */
const mostInquiries = 5;

/**
 * Questions of one server. It speaks to the person only for a call of theirs; with calls of several
 * conversations at once nobody could tell for which.
 */
export class Inquiries {
  readonly #server: string;
  /** The calls under way, and how many questions each has had. */
  readonly #calls = new Map<ToolContext, number>();

  constructor(server: string) {
    this.#server = server;
  }

  /** While the work of a call goes on, the server may ask its person. */
  async during<T>(call: ToolContext, work: () => Promise<T>): Promise<T> {
    this.#calls.set(call, this.#calls.get(call) ?? 0);
    try {
      return await work();
    } finally {
      this.#calls.delete(call);
    }
  }

  readonly ask = async (inquiry: Inquiry): Promise<InquiryAnswer> => {
    const [call, ...others] = [...this.#calls.keys()].toReversed();
    const count = (call && this.#calls.get(call)) ?? mostInquiries;
    if (call === undefined || count >= mostInquiries) return { action: "decline" };
    if (others.some(({ conversationId }) => conversationId !== call.conversationId))
      return { action: "decline" };
    this.#calls.set(call, count + 1);
    return answerInquiry(this.#server, inquiry, call);
  };
}
