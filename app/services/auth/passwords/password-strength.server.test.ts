import { dictionary } from "@zxcvbn-ts/language-common";
import { describe, expect, test } from "vitest";

import { testWorkers } from "#tests/support/workers.ts";

import { checkPasswordTask, isEasyToGuess } from "./password-strength.server.ts";

const ownWords = ["ada.lovelace@example.com", "Ada Lovelace", "countess-ada"];

const easy = `
  123456 password qwerty PASSWORD Password1 P@ssw0rd passw0rd iloveyou ｐａｓｓｗｏｒｄ letmein1 dragon12 monkey123
  aaaaaa aaaaaaaaaaaa abcabc abcabcabc abcdef fedcba 987654321 13579 112233 asdfgh zxcvbn qwertyuiop 1q2w3e4r qazwsx poiuyt 名刺名刺名刺名刺
  summer2024 London2019 charlie1 19841984 01.02.1990
  meishi Meishi1 Meishi2026 m3ishi meishimeishi
  lovelace Lovelace1 ada1815 adalovelace ada.lovelace countess-ada ecalevol example1
`;

const hard = `
  k7Tq9xZp x8dk2m gk38dm!x kp3vd9 Vq7!mz fdjk38 東京の名刺入れです tWq92Lmv rKz4-9pL 8fK2mQ1x
`;

const sentences =
  "correct horse battery staple, tea with Charles, tea-with-Ada-at-4, one long word, red kite home, purple-monkey, blue mouse";

const readList = (text: string) => text.trim().split(/\s+/);

describe("a password", () => {
  test("is easy to guess", async () => {
    for (const password of readList(easy)) expect(await isEasyToGuess({ password, ownWords }), password).toBe(true);
  });

  test("is hard to guess", async () => {
    for (const password of [...readList(hard), ...sentences.split(", ")])
      expect(await isEasyToGuess({ password, ownWords }), password).toBe(false);
  });

  test("is refused if it is one of the 3,000 most common that are long enough (ASVS 5.0 §6.2.4)", async () => {
    const common = dictionary["passwords-common"].filter((password) => password.length >= 6).slice(0, 3_000);
    expect(common).toHaveLength(3_000);
    const accepted: string[] = [];
    for (const password of common) if (!(await isEasyToGuess({ password, ownWords: [] }))) accepted.push(password);
    expect(accepted).toEqual([]);
  });

  test("of someone else may be the user's name", async () => {
    expect(await isEasyToGuess({ password: "Wolfeschlegel", ownWords })).toBe(false);
    expect(await isEasyToGuess({ password: "Wolfeschlegel", ownWords: ["Ada Wolfeschlegel"] })).toBe(true);
  });

  test("of 128 random characters is accepted, one of repeated characters isn't", async () => {
    const random = "e3@09cidp9op5m0gdpa!mn499a7oi80h3dkaaa52am6gn8a1h9op2hlh6h9ojan!";
    expect(await isEasyToGuess({ password: random + random.toUpperCase(), ownWords })).toBe(false);
    for (const repeated of ["a", "1234", "p@ssw0rd"])
      expect(await isEasyToGuess({ password: repeated.repeat(128 / repeated.length), ownWords })).toBe(true);
  });

  test("is checked in a thread, whatever it contains", async () => {
    const strange = ["\0".repeat(128), "\ud800".repeat(128), "😀".repeat(128), "4@8({[<369&#!1|0$57+%2".repeat(5)];
    for (const password of strange) {
      const given = { password, ownWords: ["x".repeat(5000), "\0", ""] };
      expect(await testWorkers.run(checkPasswordTask, given)).toEqual(expect.any(Boolean));
    }
  });
});
