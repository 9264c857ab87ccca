/**
 * The collection that says how far the index of messages is. It does not move to another storage with the
 * rest: there the index is built anew.
 */
export const searchProgress = "search_progress";
