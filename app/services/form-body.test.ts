import { expect, test } from "vitest";

import { readForm } from "./form-body.ts";

function sent(body: string, type = "application/x-www-form-urlencoded;charset=UTF-8") {
  return new Request("https://meishi.example/auth", { method: "POST", body, headers: { "content-type": type } });
}

test("the fields of a form are read as a browser sends them", async () => {
  const form = await readForm(sent("name=Ada+Lovelace&bio=%C3%A9%0D%0A&name=twice"));
  expect([...form]).toEqual([
    ["name", "Ada Lovelace"],
    ["bio", "é\r\n"],
    ["name", "twice"],
  ]);
});

test("a body that is no form counts as an empty one", async () => {
  expect([...(await readForm(sent("{}", "application/json")))]).toEqual([]);
  expect([...(await readForm(sent("--x", "multipart/form-data; boundary=x")))]).toEqual([]);
});

test("a form of hundreds of thousands of fields is not even taken apart", async () => {
  expect([...(await readForm(sent("a&".repeat(900_000))))]).toEqual([]);
  expect([...(await readForm(sent("a=1&".repeat(500))))]).toHaveLength(500);
});
