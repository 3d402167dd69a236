import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

export const adminEmail = "operator@example.com";

/** The product with an operator who may open the admin pages: confirmed, with a second factor and a fresh proof of identity. */
export async function createOperatedApp(env: Record<string, string> = {}) {
  const app = await createTestApp({
    env: { ADMIN_EMAILS: ` ${adminEmail.toUpperCase()}, second@example.com `, ...env },
  });
  const admin = await app.signedIn(adminEmail);
  const adminId = await userIdOf(admin);
  await turnOnTwoStep(app, adminId);
  return { ...app, admin, adminId };
}

/** As if the user had added an authenticator app. */
export async function turnOnTwoStep({ services }: Pick<TestApp, "services">, ownerId: string): Promise<void> {
  await services.db.insertInto("second_factor").values({ owner_id: ownerId, enabled_at: Date.now() }).execute();
}
