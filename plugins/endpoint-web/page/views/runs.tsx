import { tookOf, wordsOf } from "../chat/run-line.tsx";
import type { Run } from "../link/index.ts";
import { Button, Loading } from "../parts/index.ts";
import { linkTo, nameOf, runs, steer, titleOf } from "../state/index.ts";
import { count, dayAndTime } from "../text/index.ts";

function RunRow({ run }: { readonly run: Run }) {
  const title = titleOf(run.conversationId, run.kind);
  const state = run.status === "ended" ? (run.completion_reason ?? "ended") : run.status;
  return (
    <tr>
      <th scope="row">
        <a href={linkTo("c", run.conversationId)}>{title}</a>
        {run.error !== null && <p class="failure">{run.error.message}</p>}
        <p class="faint">{nameOf(run.model)}</p>
      </th>
      <td class={`run-state ${state}`}>{wordsOf(run) || "Done"}</td>
      <td>{dayAndTime(run.createdAt)}</td>
      <td class="figure">{tookOf(run)}</td>
      <td class="figure">{run.usage.total_tokens > 0 && count(run.usage.total_tokens)}</td>
      <td>
        {run.status !== "ended" && (
          <Button look="quiet" press={() => steer(run.id, "end")}>
            Stop
          </Button>
        )}
        {run.status === "interrupted" && (
          <Button look="quiet" press={() => steer(run.id, "resume")}>
            Go on
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The newest runs, what they took and how they ended. */
export function RunsView() {
  const all = runs.value;
  return (
    <div class="view wide">
      <h1>Runs</h1>
      {all === undefined && <Loading />}
      {all?.length === 0 && <p class="empty">No runs yet.</p>}
      {all !== undefined && all.length > 0 && (
        <div class="table" tabIndex={0} role="region" aria-label="Runs">
          <table>
            <thead>
              <tr>
                {["Conversation", "State", "Began", "Took", "Tokens"].map((name) => (
                  <th scope="col">{name}</th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {all.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
