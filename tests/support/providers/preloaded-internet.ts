import { Resolver } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

/**
 * Loaded into the program before its first module: every host is on the internet, and requests to any of them go to the test's server
 * TEST_INTERNET, without TLS. The time limit of a request ends as soon as the server sends "102 Processing".
 */
const { hostname, port } = new URL(process.env["TEST_INTERNET"] ?? "");
const limits = new WeakMap<AbortSignal, AbortController>();

Resolver.prototype.resolve4 = (async () => ["1.1.1.1"]) as unknown as Resolver["resolve4"];
Resolver.prototype.resolve6 = async () => [];

AbortSignal.timeout = (ms) => {
  const limit = new AbortController();
  limits.set(limit.signal, limit);
  setTimeout(() => limit.abort(), ms).unref();
  return limit.signal;
};

https.request = ((url: URL, { method, signal, headers }: https.RequestOptions, done: () => void) => {
  const { pathname, search, host } = url;
  const options = {
    hostname,
    port,
    path: `${pathname}${search}`,
    agent: false,
    headers: { ...headers, host },
  } as const;
  const request = http.request({ ...options, ...(method && { method }), ...(signal && { signal }) }, done);
  return request.once("information", () => signal && limits.get(signal)?.abort());
}) as typeof https.request;
syncBuiltinESMExports();
