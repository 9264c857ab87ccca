/** What is asked of the service; rejects with AppError where it refuses or does not answer. */
export interface Service {
  send<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** What happens where a conversation is here already. */
export type OnConflict = "skip" | "new_id" | "replace" | "fail";
