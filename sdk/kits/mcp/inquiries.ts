import type { Inquiry, InquiryAnswer } from "./inquiry.ts";

/** Questions that a server may put to the person during one call. */
const mostInquiries = 5;

/** Puts a question of a server to the person whose call it is. */
type Answer<Call> = (inquiry: Inquiry, call: Call) => Promise<InquiryAnswer>;

/**
 * Questions of one server. It speaks to the person only for a call of theirs; with calls of several
 * conversations at once nobody could tell for which.
 */
export class Inquiries<Call extends { readonly conversationId: string }> {
  readonly #answer: Answer<Call>;
  /** The calls under way, and how many questions each has had. */
  readonly #calls = new Map<Call, number>();

  constructor(answer: Answer<Call>) {
    this.#answer = answer;
  }

  /** While the work of a call goes on, the server may ask its person. */
  async during<T>(call: Call, work: () => Promise<T>): Promise<T> {
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
    return this.#answer(inquiry, call);
  };
}
