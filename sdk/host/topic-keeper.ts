import type { Topic, TopicService } from "../contract/topics.ts";

/** Topics as the host uses them. */
export interface TopicKeeper extends TopicService {
  /** Does work during which the topic is not deleted. */
  withLock<T>(id: string, work: () => Promise<T>): Promise<T>;
  /**
   * The same with the topic of that name, made where there is none. The request that names it may yet be
   * refused: `settle` then removes a topic that was made for it.
   */
  obtain<T>(name: string, work: (topic: Topic) => Promise<T>): Promise<T>;
  /** A run has left the topic, or has never come to be. */
  settle(id: string): Promise<void>;
  /**
   * The folder for its files: the one that the first to ask proposes. undefined where there is no such topic.
   */
  workspaceOf(id: string, propose: (topic: Topic) => string): Promise<string | undefined>;
}
