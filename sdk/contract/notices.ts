/** Something of which a person who is elsewhere is told: what it is and the ids, no text and no arguments. */
export interface Notice {
  readonly type:
    | "response.completed"
    | "response.failed"
    | "response.cancelled"
    | "response.incomplete"
    | "approval.requested";
  /** `resp_…` or `apr_…`. */
  readonly id: string;
  readonly conversationId: string;
  /** null for an approval of a call by hand. */
  readonly runId: string | null;
}

/** Tells webhooks and a program of the person's own. */
export interface NoticeService {
  /** Not waited for. Never throws. */
  send(notice: Notice): void;
}
