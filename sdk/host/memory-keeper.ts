import type { Conversation } from "../contract/conversation.ts";
import type {
  MemoryDraft,
  MemoryItem,
  MemoryScope,
  MemoryService,
  ScopedMemory,
} from "../contract/memory.ts";
import type { Fence, Write } from "../contract/storage.ts";

/** What another service, or this one before, has remembered. */
export type ImportedMemory = Omit<MemoryDraft, "origin"> & Pick<MemoryItem, "createdAt">;

/** Memory as the host uses it. */
export interface MemoryKeeper extends MemoryService {
  scoped(of: {
    readonly conversation: Conversation;
    readonly scope: string;
    readonly callId: string;
    readonly runId: string | null;
    /** By which the call is known to be this host's, where there are several. */
    readonly fence?: Fence | undefined;
    /** The W3C traceparent below which the spans of what the call asks belong. */
    readonly trace?: string | undefined;
  }): ScopedMemory;
  /**
   * What a scope is to remember that came in a file, its origin `import`: the writes, for somebody's commit,
   * after which `follow` makes it findable (after a crash the next start does). What the scope knows already,
   * and a key that it has, stay as they are; with `replaces` the same commit forgets them.
   */
  importWrites(
    of: MemoryScope,
    memories: readonly ImportedMemory[],
    options: { readonly replaces: boolean },
  ): Promise<{ readonly writes: readonly Write[]; readonly count: number; follow(): Promise<void> }>;
  /**
   * The writes that forget a scope, for somebody's commit; the search indexes follow by themselves, after a
   * crash too.
   */
  deletionWrites(scope: string): readonly Write[];
}
