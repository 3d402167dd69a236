import { expect, test } from "vitest";

import { isUniqueViolation } from "#app/services/base/errors.ts";
import { transact } from "#app/services/database/database.server.ts";
import { openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { errorOf } from "#tests/support/storage/setting-rows.ts";

import {
  deleteConnection,
  findConnection,
  findIdToken,
  insertConfirmedUser,
  insertConnection,
  listConnectionRows,
  updateConnectionTokens,
} from "./connection-rows.server.ts";
import type { Identity } from "./identities.server.ts";

const identity: Identity = {
  accountId: "42",
  email: "ada@example.com",
  emailProblem: undefined,
  name: "Ada",
  picture: "",
  profileUrl: "",
  tokens: { accessToken: "an access token", refreshToken: "a refresh token", idToken: "an ID token" },
};
const key = { providerId: "google", accountId: "42" };

describeOnEachDatabase("a connected account", (makeDb, engine) => {
  test("of one user is found, gets new tokens, and is deleted", async () => {
    const { db } = await openAuth(makeDb, engine);
    const deps = { engine, secret: "0123456789abcdefghijklmnopqrstuv" };
    const addUser = (email: string) => transact(db, (trx) => insertConfirmedUser(trx, { email, name: "", engine }));
    const addConnection = (userId: string) =>
      transact(db, (trx) => insertConnection(trx, { userId, providerId: "google", identity }, deps));
    const userId = await addUser("ada@example.com");
    await addConnection(userId);
    const found = await findConnection(db, key);
    expect(found).toMatchObject({ userId, connectedAt: Date.now() });
    const first = await findIdToken(db, { userId, providerId: "google" });
    expect(first).not.toContain("token");
    // It belongs to one user.
    const other = await addUser("eve@example.com");
    expect(isUniqueViolation(await errorOf(addConnection(other)))).toBe(true);
    const id = found?.id ?? "";
    const later = { ...identity, tokens: { idToken: "another ID token" } };
    await transact(db, (trx) => updateConnectionTokens(trx, { id, identity: later }, deps));
    expect(await findIdToken(db, { userId, providerId: "google" })).not.toBe(first);
    expect(await listConnectionRows(db, userId)).toEqual([found]);
    const remove = () => transact(db, (trx) => deleteConnection(trx, { userId, providerId: "google" }));
    expect([await remove(), await remove()]).toEqual([true, false]);
  });
});
