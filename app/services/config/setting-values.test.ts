import { expect, test } from "vitest";

import { readConfig } from "./config.server.ts";

const all = {
  S3_ENDPOINT: "https://s3.eu-central-1.example.com/",
  S3_BUCKET: "cards",
  S3_REGION: "eu-central-1",
  S3_ACCESS_KEY_ID: "AKIDEXAMPLE",
  S3_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG",
};

const read = (env: Record<string, string>) => readConfig(env, "/srv/meishi");
const problemsOf = (env: Record<string, string>) => {
  const result = read(env);
  return "problems" in result ? result.problems : [];
};

test("the S3 settings are all set or all unset, but the region; an endpoint may have a path", () => {
  const s3 = {
    endpoint: "https://s3.eu-central-1.example.com",
    bucket: "cards",
    region: "eu-central-1",
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG",
  };
  expect(read(all)).toMatchObject({ config: { s3 } });
  expect(read({ S3_ENDPOINT: " ", S3_BUCKET: "" })).toMatchObject({ config: { s3: undefined } });
  const local = { endpoint: "http://localhost:9000/storage/s3", region: "us-east-1" };
  const env = { ...all, S3_REGION: "", S3_ENDPOINT: "http://localhost:9000/storage/s3/" };
  expect(read(env)).toMatchObject({ config: { s3: local } });
  expect(problemsOf({ S3_BUCKET: "cards", S3_SECRET_ACCESS_KEY: "x" })).toEqual([
    "S3_ENDPOINT and S3_ACCESS_KEY_ID must also be set: storing files in S3 needs all of these settings.",
  ]);
  expect(problemsOf({ S3_REGION: "eu-central-1" })[0]).toContain("S3_ENDPOINT and S3_BUCKET and S3_ACCESS_KEY_ID");
});

test.each([
  ["S3_ENDPOINT", "s3.example.com"],
  ["S3_ENDPOINT", "ftp://s3.example.com"],
  ["S3_ENDPOINT", "https://key:secret-word@s3.example.com"],
  ["S3_ENDPOINT", "https://s3.example.com/?a=secret-word"],
  ["S3_BUCKET", "https://s3.example.com/cards"],
  ["S3_BUCKET", "a b"],
  ["S3_REGION", "eu central"],
  ["S3_ACCESS_KEY_ID", "AKID secret-word"],
  ["S3_SECRET_ACCESS_KEY", "secret-word\nX: y"],
])("the S3 settings reject an invalid %s without repeating a key: %j", (name, value) => {
  const problems = problemsOf({ ...all, [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} `));
  expect(problems[0]).not.toContain("secret-word");
});
