import { defineHostPlugin } from "@pergola/sdk/host";
import { search } from "./routes.ts";
import { Search } from "./search.ts";

export default defineHostPlugin({ parts: { search: (parts) => new Search(parts) }, endpoints: [search] });
