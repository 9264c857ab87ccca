import { serve } from "@pergola/kit-worker/serve";
import type { BrowserTasks } from "./browser/browser-tasks.ts";
import { PageRequests, runPage } from "./browser/run-page.ts";

const requests = new PageRequests();

serve<BrowserTasks>({
  render: (ask, { emit }) => runPage(ask, (route) => requests.serve(route, emit)),
  answer: (answer) => requests.settle(answer),
});
