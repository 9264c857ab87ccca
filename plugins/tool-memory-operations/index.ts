import { definePlugin, defineTool } from "@pergola/sdk";
import { unavailable } from "./memory-of.ts";
import { addDiscovery } from "./operations/add-discovery.ts";
import { addPattern } from "./operations/add-pattern.ts";
import { addSolution } from "./operations/add-solution.ts";
import { deleteKey } from "./operations/delete-key.ts";
import { deleteMemory } from "./operations/delete-memory.ts";
import { listCollections } from "./operations/list-collections.ts";
import { listKeys } from "./operations/list-keys.ts";
import { ltmStats } from "./operations/ltm-stats.ts";
import { pruneLtm } from "./operations/prune-ltm.ts";
import { recallHistory } from "./operations/recall-history.ts";
import { retrieve } from "./operations/retrieve.ts";
import { retrieveMemory } from "./operations/retrieve-memory.ts";
import { searchKv } from "./operations/search-kv.ts";
import { searchMemory } from "./operations/search-memory.ts";
import { storeMemory } from "./operations/store-memory.ts";
import { store } from "./operations/store.ts";

const bareNames = [
  "store_memory",
  "search_memory",
  "recall_history",
  "add_discovery",
  "add_solution",
  "add_pattern",
  "retrieve_memory",
  "delete_memory",
];

export const memoryOperations = defineTool({
  name: "memory_operations",
  description: "Remember, find, recall and forget. Kept for this conversation, or its shared topic.",
  icon: "brain",
  unavailable,
  aliases: {
    ...Object.fromEntries(bareNames.map((name) => [name, name])),
    memory_search: "search_memory",
    list_memory: "list_collections",
    recall_sessions: "recall_history",
  },
  operations: [
    searchMemory,
    storeMemory,
    recallHistory,
    listCollections,
    store,
    retrieve,
    searchKv,
    listKeys,
    deleteKey,
    addDiscovery,
    addSolution,
    addPattern,
    ltmStats,
    pruneLtm,
    retrieveMemory,
    deleteMemory,
  ],
});

export default definePlugin({ tools: [memoryOperations] });
