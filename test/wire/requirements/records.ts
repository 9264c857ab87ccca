/** What is kept, found, brought in and taken out. */
export const records = {
  "conversations:items":
    "the active branch is a list of items; they are added without a run and taken off by a new branch",
  "conversations:list": "summaries newest first, with title search and hidden ones left out",
  "conversations:detail": "the detail has every documented field",
  "conversations:patch": "a patch merges settings and keeps a title the person set",
  "conversations:delete": "a delete cancels the run and removes what belongs to the conversation",
  "conversations:places":
    "a topic or folder that nobody knows is 404 naming the field; the settings tell the topic again, by its name now",
  "topics:records":
    "a topic is made once for a name, also when two come at once; it is listed, shown and renamed, to a free name only",
  "topics:attach":
    "attaching and detaching act on the conversation that is named, by the topic's id or name, never during a run",
  "topics:chat":
    "a chat names its topic, which is made where there is none, in both stream modes; a refused one leaves none behind",
  "topics:scope":
    "attached conversations share memory, files and terminal sessions, and no other; todos, grants and messages stay apart",
  "topics:access":
    "a conversation with access read finds what its topic keeps and can change none of it, by memory or by files",
  "topics:source": "what is remembered tells the conversation, the run and the call that it comes from",
  "topics:collection": "memory_collection_id is the memory scope of one request; an unknown one is 400",
  "topics:delete":
    "a topic is deleted with its memory and not during a run; its conversations are detached, its files stay unless asked for",
  "folders:records": "a folder is made once for a name, also when two come at once; it is listed and changed",
  "folders:delete":
    "a folder's conversations are in no folder once it is deleted, those with a run at work too",
  "search:words": "messages are found that hold all words, phrases and beginnings of words of q",
  "search:hit":
    "a hit names its message and conversation, with a snippet, its marks, and whether it is active",
  "search:filters":
    "conversationId, role, from and to narrow a search; limit and offset page, count does not",
  "search:count": "matches are counted up to 1000, and paged through",
  "search:hidden": "hidden conversations are left out, from the moment on when they are hidden",
  "search:gone": "what is deleted is not found any more, also after a start",
  "search:imported": "what is imported is found, and what it replaces is not",
  "search:odd": "no q is taken for an operator of a query language, and none fails",
  "search:backlog":
    "a store that is not indexed yet is indexed while others are served; complete is false till then",
  "search:missed": "a start indexes what the last one has missed, whatever the storage keeps of the index",
  "search:turns": "no text is indexed while a model talks",
  "search:secrets": "snippets show no secrets",
  "search:scope": "needs the scope read; a group that is switched off is 404",
  "prompts:system":
    "system prompts are listed, made, read, changed and deleted; built-in ones are 409 built_in, unknown ones 404",
  "prompts:mini":
    "mini prompts are listed in their order, made, read, changed and deleted, on all three paths alike",
  "prompts:limits": "what a prompt or personality must not be is 400 naming the field, and nothing is stored",
  "prompts:personalities":
    "personalities are listed, made, read, changed and deleted; there is a built-in one for each category but Custom",
  "prompts:chosen":
    "the request's system prompt and personality, else the conversation's, else the preference's reach the model, the same from call to call",
  "prompts:instructions":
    "mini prompts of request and conversation reach the model in the context block alone, in their order",
  "prompts:unknown":
    "unknown texts are ignored with a warning in chat, and 404 naming the field in a conversation",
  "prompts:deleted": "a conversation or preference whose text was deleted falls back with a warning",
  "memory:used":
    "an answer and its message name the memories that were put before the model, by id and similarity",
  "memory:injected":
    "memories of the scope that fit are put before the model, as dated notes, and no more than memory.inject_count of them",
  "memory:threshold": "memories below memory.inject_threshold are not put before the model",
  "memory:origin":
    "what a tool or an import brought is labelled with its origin, for the model and for the person",
  "memory:archive":
    "with a shared topic three pieces of its other conversations are put before the model, and none once sharing is off",
  "memory:long-term": "three discoveries, solutions and patterns of the scope are put before the model",
  "memory:off": "enable_memory false puts nothing remembered before the model",
  "memory:once":
    "what is put before the model is worked out once a run and is the same text in all its calls; what a vector finds that the first call could not wait for stands behind it",
  "memory:as-data": "what stands in a memory stays one line of data, whatever it says",
  "memory:never-kept": "what is put before the model is in no stored message, answer, event or listing",
  "memory:optional": "memory that fails, or that no plugin keeps, fails no run",
  "memories:list":
    "what is remembered is listed, newest first, by conversation, topic, type, tag, kind and origin",
  "memories:create":
    "a person has something remembered in a conversation or a topic, once for the same content, with origin user",
  "memories:counts":
    "with counts the matches are counted by scope, origin and kind, each without its own filter",
  "memories:search": "what is remembered is searched, best first with its similarity, in one scope or in all",
  "memories:change": "a memory is changed field by field, and search and the model follow at once",
  "memories:delete": "a deleted memory is found by nobody from then on",
  "memories:refused": "unknown ids are 404 and bad fields 400, and change nothing",
  "instructions:trust":
    "AGENTS.md and skills of a folder that is not trusted with exactly these bytes say nothing to a model, and the answer says what to do; only the person at this computer trusts one",
  "instructions:order":
    "instructions stand from the person's own over the root of the repository down to the working directory; no link is followed",
  "instructions:limit": "instructions are given whole, up to 32 KiB; a warning names what is left out",
  "instructions:steady": "the system text with instructions and skills is equal in all calls of a run",
  "skills:catalogue":
    "a run that can read files is told each skill's name, description and path, and no body",
  "skills:called": "/name at the beginning of a message brings a skill whole, to the end of its conversation",
  "skills:pinned": "the result by which a model has read a skill is pinned",
  "skills:list":
    "the skills in force for a working directory are listed; those of a folder win over the person's own",
  "documents:read":
    "PDF and text files in a request are read for the model; one that cannot be read gets a line and a warning",
  "transfer:export":
    "a conversation is exported with all that belongs to it, as JSON or Markdown, secrets redacted",
  "transfer:import": "an exported conversation comes back whole, on another host or beside the first",
  "transfer:conflict":
    "where the conversation is here already it gets a new id, replaces that one, or is 409 id_taken",
  "transfer:verified": "a package that is not whole is 400 with what is wrong, and nothing of it is stored",
} as const;
