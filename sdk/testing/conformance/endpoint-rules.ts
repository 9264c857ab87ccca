import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, type JsonSchema, type Route, type ServicesWith } from "@pergola/sdk";
import { endpointRequest } from "../endpoint-request.ts";
import { statusOf, type KitHost, type PluginUnderTest } from "./kit-host.ts";
import { strayFailures } from "./stray-failures.ts";
import { demand, within, type Rule } from "./rule.ts";

type Params = Readonly<Record<string, string>>;

/** A request that a route answers. */
export interface PlainRequest {
  /** As in the manifest: `GET /api/notes/{id}`. */
  readonly route: string;
  readonly params?: Params;
  readonly query?: Params;
  readonly body?: JsonObject;
}

/** The same, whose `params` may come from the bodies that the requests before it were answered with. */
export interface SampleRequest extends Omit<PlainRequest, "params"> {
  readonly params?: Params | ((answers: readonly unknown[]) => Params);
}

/** What `describeEndpoint` must know of a plugin with routes. */
export interface EndpointUnderTest extends PluginUnderTest {
  /** The routes, as the code makes them. */
  readonly routes: readonly Route[];
  /** Requests that succeed, one after the other; one for each route at least. */
  readonly requests: readonly SampleRequest[];
  /** A request whose answer does not come until it is stopped. */
  readonly endless?: PlainRequest;
}

/** The same in a host. */
export interface EndpointStage extends EndpointUnderTest, Pick<KitHost, "host"> {}

/** Milliseconds in which a handler must have ended once its client went away. */
const stopLimit = 1000;
/** Milliseconds in which a plain request is answered. */
const answerLimit = 15_000;
/** Milliseconds after which a request has surely come to its handler. */
const begun = 150;

const nameOf = ({ method, path }: Pick<Route, "method" | "path">): string => `${method} ${path}`;

function addressOf({ route, params = {}, query = {} }: PlainRequest): readonly [string, string] {
  const [method = "", path = ""] = route.split(" ");
  const filled = path.replaceAll(/\{(\w+)…?\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = new URLSearchParams(query).toString();
  return [method, asked === "" ? filled : `${filled}?${asked}`];
}

const send = ({ host }: EndpointStage, sample: PlainRequest, body: unknown = sample.body) =>
  host.request(...addressOf(sample), body);

const plainOf = ({ params = {}, ...sample }: SampleRequest, answers: readonly unknown[]): PlainRequest => ({
  ...sample,
  params: typeof params === "function" ? params(answers) : params,
});

const jsonIn = (text: string): unknown => (/^[[{]/.test(text) ? JSON.parse(text) : text);

interface Sent {
  readonly request: PlainRequest;
  readonly answer: Response;
  readonly text: string;
}

/** Sends all requests, one after the other. */
async function* sendAll(stage: EndpointStage): AsyncGenerator<Sent> {
  const answers: unknown[] = [];
  for (const sample of stage.requests) {
    const request = plainOf(sample, answers);
    const answer = await within(answerLimit, send(stage, request), sample.route);
    const text = await answer.text();
    answers.push(jsonIn(text));
    yield { request, answer, text };
  }
}

/** The requests as they were sent. */
async function sentTo(stage: EndpointStage): Promise<readonly PlainRequest[]> {
  const requests: PlainRequest[] = [];
  for await (const { request } of sendAll(stage)) requests.push(request);
  return requests;
}

const undescribed = (place: string, properties: Readonly<Record<string, JsonSchema>>): readonly string[] =>
  Object.entries(properties).flatMap(([name, { description = "" }]) =>
    description.trim() === "" ? [`${place}: ${name}`] : [],
  );

async function describes({ routes }: EndpointStage): Promise<void> {
  const missing = routes.flatMap((route) => [
    ...(route.summary.trim() === "" ? [nameOf(route)] : []),
    ...undescribed(nameOf(route), route.params ?? {}),
    ...undescribed(nameOf(route), route.query ?? {}),
    ...undescribed(nameOf(route), route.body?.properties ?? {}),
  ]);
  demand(missing.length === 0, `These have no summary or description: ${missing.join(", ")}.`);
}

async function answers(stage: EndpointStage): Promise<void> {
  const tried = new Set([...stage.requests, stage.endless].map((sample) => sample?.route));
  const untried = stage.routes.map(nameOf).filter((name) => !tried.has(name));
  demand(untried.length === 0, `No request tries ${untried.join(", ")}. Add one to requests.`);
  for await (const { request, answer, text } of sendAll(stage))
    demand(answer.ok, `${request.route} answered ${answer.status}: ${text.slice(0, 300)}`);
}

/** What a route's body must not be, made of one that it takes. */
function unfitBodies({ body: schema }: Route, { body = {} }: PlainRequest): readonly unknown[] {
  if (schema === undefined) return [];
  const required = (schema.required ?? []).map((name) =>
    Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)),
  );
  const typed = Object.entries(schema.properties ?? {}).filter(
    ([, { type }]) => typeof type === "string" && type !== "object",
  );
  return ["{", "[]", ...required, ...typed.map(([name]) => ({ ...body, [name]: { not: "this" } }))];
}

async function demandClear(answer: Response, what: string): Promise<void> {
  const text = await answer.text();
  const body: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
  demand(answer.status < 500, `${what} answered ${answer.status}, a fault that it does not foresee.`);
  demand(answer.status >= 400, `${what} answered ${answer.status}, as if it were right.`);
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : {};
  demand(typeof error["message"] === "string", `${what} failed without error.message: ${text.slice(0, 200)}`);
}

const oddTexts = ["\u0000", " ", "../..", "x".repeat(5000), "🌿"];

async function refusesUnfitInput(stage: EndpointStage): Promise<void> {
  const samples = await sentTo(stage);
  for (const route of stage.routes) {
    const name = nameOf(route);
    const sample = samples.find((one) => one.route === name) ?? { route: name };
    for (const body of unfitBodies(route, sample))
      await demandClear(await send(stage, sample, body), `${name} with the body ${JSON.stringify(body)}`);
    for (const param of Object.keys(route.params ?? {}))
      for (const odd of oddTexts) {
        const answer = await send(stage, { ...sample, params: { ...sample.params, [param]: odd } });
        const what = `${name} with ${param} ${JSON.stringify(odd).slice(0, 20)}`;
        demand(answer.status < 500, `${what} answered ${answer.status}, a fault that it does not foresee.`);
      }
  }
}

async function declares({ host, id, routes }: EndpointStage): Promise<void> {
  statusOf(host, id);
  const open = routes.filter(({ method, scope }) => scope === "open" && method !== "GET");
  const names = open.map(nameOf).join(", ");
  demand(open.length === 0, `Anybody may call ${names}: a route that is not read alone needs a scope.`);
}

const endlessOf = ({ endless }: EndpointStage): PlainRequest => {
  demand(endless !== undefined, "Give `endless`: a request whose answer does not come until it is stopped.");
  return endless;
};

async function stopsAtOnce(stage: EndpointStage): Promise<void> {
  const sample = endlessOf(stage);
  const route = stage.routes.find((one) => nameOf(one) === sample.route);
  demand(route !== undefined, `There is no route ${sample.route}.`);
  const stop = new AbortController();
  const { params = {}, query = {}, body = {} } = sample;
  const request = endpointRequest({ params, query, body, signal: stop.signal });
  const ended = (async () => route.handle(request, stage.host.services as ServicesWith<never>))().then(
    () => "an answer",
    () => "a failure",
  );
  const early = await Promise.race([ended, sleep(begun, "waiting")]);
  demand(early === "waiting", `${sample.route} ended by itself with ${early}; give one that goes on.`);
  stop.abort(new Error("The client went away."));
  await within(stopLimit, ended, `${sample.route}, after its client had gone,`);
}

/** A request that waits until its client goes away. */
function beginEndless(stage: EndpointStage, signal: AbortSignal): Promise<unknown> {
  const [method, address] = addressOf(endlessOf(stage));
  const { body } = endlessOf(stage);
  return fetch(stage.host.url + address, {
    method,
    signal,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => undefined);
}

async function holdsNobody(stage: EndpointStage): Promise<void> {
  const [sample] = stage.requests;
  demand(sample !== undefined, "No request is given.");
  const client = new AbortController();
  const slow = beginEndless(stage, client.signal);
  await sleep(begun);
  try {
    const answer = await within(
      answerLimit,
      send(stage, plainOf(sample, [])),
      "A request beside one that waits",
    );
    demand(answer.ok, `A request beside one that waits was answered with ${answer.status}.`);
  } finally {
    client.abort();
    await slow;
  }
}

async function leavesNothingBehind(stage: EndpointStage): Promise<void> {
  const failures = await strayFailures(async () => {
    await sentTo(stage);
    await sleep(begun);
  });
  const said = failures.map(String).join("; ");
  demand(failures.length === 0, `After its answers, something failed that nobody awaits: ${said}.`);
}

async function takesSizes(stage: EndpointStage): Promise<void> {
  const samples = await sentTo(stage);
  for (const sample of samples.filter(({ body }) => body !== undefined)) {
    const { route } = sample;
    const texts = Object.entries(sample.body ?? {}).filter(([, value]) => typeof value === "string");
    for (const [name] of texts) {
      const answer = await send(stage, sample, { ...sample.body, [name]: "word ".repeat(200_000) });
      demand(answer.status < 500, `${route} with ${name} of 1 MB answered ${answer.status}.`);
      demand(
        !answer.ok || Number(answer.headers.get("content-length") ?? 0) < 16 * 2 ** 20,
        `${route} with ${name} of 1 MB answered with more than 16 MB.`,
      );
    }
  }
}

async function startsAgain(stage: EndpointStage): Promise<void> {
  const client = new AbortController();
  const cut = stage.endless === undefined ? undefined : beginEndless(stage, client.signal);
  await sleep(begun);
  const restarted = stage.host.restart();
  client.abort();
  await cut;
  await within(4 * answerLimit, restarted, "Stopping and starting again");
  await answers(stage);
}

const hasEndless = ({ endless }: EndpointUnderTest): boolean => endless !== undefined;

/** What every plugin with routes must do; `restart in the call` is the last one. */
export const endpointRules: readonly Rule<EndpointStage, EndpointUnderTest>[] = [
  {
    name: "undeclared access",
    title: "serves what its manifest names, to those who may",
    check: declares,
  },
  {
    name: "descriptions",
    title: "has a summary for each route, and describes each parameter",
    check: describes,
  },
  { name: "answers", title: "answers a request to each route", check: answers },
  {
    name: "bad input",
    title: "refuses what its schemas forbid, with a clear error",
    check: refusesUnfitInput,
  },
  {
    name: "abort",
    title: "ends at once when its client goes away",
    applies: hasEndless,
    check: stopsAtOnce,
  },
  {
    name: "slow",
    title: "answers others while one request waits",
    applies: hasEndless,
    check: holdsNobody,
  },
  {
    name: "crash",
    title: "fails at nothing once it has answered",
    check: leavesNothingBehind,
  },
  { name: "huge output", title: "takes or refuses texts of a megabyte", check: takesSizes },
  {
    name: "restart in the call",
    title: "answers the same requests after a restart, though one was cut off by it",
    check: startsAgain,
  },
];
