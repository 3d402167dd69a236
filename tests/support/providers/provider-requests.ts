import { env } from "node:process";

/** Loaded into the program before its own code: what it sends to other hosts goes to the test's doubles. */
const gateway = env["PROVIDER_GATEWAY"] ?? "";
const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (new URL(request.url).hostname === "localhost") return send(request);
  const body = await request.text();
  const headers = { "provider-url": request.url, "content-type": request.headers.get("content-type") ?? "" };
  return send(gateway, { method: request.method, headers, ...(body && { body }) });
};
