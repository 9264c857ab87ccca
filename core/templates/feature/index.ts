import { definePlugin } from "@pergola/sdk";
import { Notes, type Note } from "./notes.ts";
import { routesOf } from "./routes.ts";

const notes = new Notes();

export default definePlugin({
  endpoints: [routesOf(notes)],
  collections: { notes: { indexes: ["createdAt"] } },
  start(host) {
    notes.open(host.collection<Note>("notes"), host.clock);
  },
});
