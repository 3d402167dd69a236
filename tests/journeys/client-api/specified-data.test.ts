import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { cardLimitMessage } from "#app/features/cards/limit-messages.ts";
import { messages as cardMessages } from "#app/features/cards/messages.ts";
import { messages as profileMessages } from "#app/features/profile/messages.ts";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import { createStripeApp } from "#tests/support/providers/stripe/stripe-app.ts";
import { jpeg, pdf } from "#tests/support/app/uploads.ts";

import { createDataApp, openDataApp } from "./data-app.ts";

/** The data calls of the specification (document 2, section 7), as its client sends them. */
describe("profiles", () => {
  const columns =
    "display_name, bio, avatar_url, links, resume_url, resume_filename, banner_url, theme, show_business_card";
  const links = [
    { label: "Code", url: "https://github.com/ada" },
    { label: "Notes", url: "https://ada.example/notes" },
  ];

  test("are selected by user_id, one or none", async () => {
    const { client, anonymous, adaId } = await createDataApp();
    const own = await client.from("profiles").select(columns).eq("user_id", adaId).maybeSingle();
    expect(own).toMatchObject({ error: null, status: 200 });
    expect(own.data).toEqual({
      display_name: "ada",
      bio: null,
      avatar_url: null,
      links: [],
      resume_url: null,
      resume_filename: null,
      banner_url: null,
      theme: "default",
      show_business_card: true,
    });
    const unknown = crypto.randomUUID();
    expect(await anonymous.from("profiles").select(columns).eq("user_id", unknown).maybeSingle()).toMatchObject({
      data: null,
      error: null,
    });
    const single = await anonymous.from("profiles").select(columns).eq("user_id", unknown).single();
    expect(single).toMatchObject({ status: 406, error: { code: "PGRST116", details: "The result contains 0 rows" } });
  });

  test("are inserted once", async () => {
    const { client, adaId, services } = await createDataApp();
    await services.db.deleteFrom("profile").execute();
    const row = { user_id: adaId, display_name: "Ada", links: [] };
    const inserted = await client.from("profiles").insert(row).select("id, user_id, display_name, links").single();
    expect(inserted).toMatchObject({ error: null, status: 201, data: { id: adaId, ...row } });
    expect((await client.from("profiles").insert(row)).error).toMatchObject({ code: "23505", details: "user_id" });
  });

  test("are upserted on user_id, with what else is stored of their links", async () => {
    const { client, adaId, services, visitor } = await createDataApp();
    const stored = () => services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow();
    const row = { user_id: adaId, display_name: "Ada Lovelace", bio: "Notes on the engine.", theme: "ocean", links };
    expect(await client.from("profiles").upsert(row, { onConflict: "user_id" })).toMatchObject({
      error: null,
      status: 201,
    });
    const [code, notes] = JSON.parse((await stored()).links);
    await client
      .from("profiles")
      .upsert(
        { user_id: adaId, links: [{ name: "My notes", url: notes.url }, links[0], { label: "", url: "" }] },
        { onConflict: "user_id" },
      );
    expect(JSON.parse((await stored()).links)).toEqual([{ ...notes, label: "My notes" }, code]);
    const page = await (await visitor().get(`/u/${adaId}`)).text();
    expect(page).toContain("Ada Lovelace");
    expect(page).toContain("My notes");
  });

  test("are refused with the messages of the form and the names of the columns", async () => {
    const { client, adaId } = await createDataApp();
    const sent = { bio: "b".repeat(161), links: [{ label: "Bad", url: "javascript:alert(1)" }] };
    const refused = await client.from("profiles").update(sent).eq("user_id", adaId);
    expect(refused).toMatchObject({ status: 400, error: { code: "23514", details: "bio, links" } });
    expect(refused.error?.message).toBe(`${profileMessages.bioTooLong} Invalid URL`);
    const theme = await client.from("profiles").update({ theme: "royal" }).eq("user_id", adaId);
    expect(theme.error).toMatchObject({ code: "P0001", details: "theme" });
  });

  test("show an upload at once, accept its URL, and lose it with null", async () => {
    const { client, adaId, services } = await createDataApp();
    const { baseUrl } = services.config;
    const update = async (values: object) =>
      client.from("profiles").update(values).eq("user_id", adaId).select(columns).single();
    const upload = async (bucket: string, name: string, bytes: Buffer) => {
      const path = `${adaId}/${name}`;
      expect(
        (await client.storage.from(bucket).upload(path, new Uint8Array(bytes), { upsert: true })).error,
      ).toBeNull();
      return client.storage.from(bucket).getPublicUrl(path).data.publicUrl;
    };
    const resume_url = await upload("resumes", "resume.pdf", pdf());
    const named = await update({ resume_url, resume_filename: "Ada Lovelace.pdf" });
    expect(named.data).toMatchObject({ resume_url, resume_filename: "Ada Lovelace.pdf" });
    const images = await update({
      avatar_url: await upload("avatars", "avatar_1.jpg", await jpeg()),
      banner_url: `${await upload("banners", "banner_1.jpg", await jpeg())}?v=1`,
    });
    expect(images.data?.avatar_url).toMatch(new RegExp(`^${baseUrl}/files/avatars/${adaId}/avatar_\\d+\\.jpg\\?v=`));
    expect(images.data?.banner_url).toMatch(new RegExp(`^${baseUrl}/files/banners/${adaId}/banner_\\d+\\.jpg\\?v=`));
    for (const path of ["a.jpg", `avatars/${adaId}/avatar_1.jpg`])
      expect((await update({ avatar_url: `https://evil.example/${path}` })).error).toMatchObject({ code: "42501" });
    const removed = { resume_url: null, resume_filename: null, banner_url: null, avatar_url: null };
    expect((await update(removed)).data).toMatchObject(removed);
    expect(await services.db.selectFrom("asset").select("slot").execute()).toEqual([]);
  });

  test("show the name and image of a card's owner to everyone, and the tier to its owner alone", async () => {
    const { client, anonymous, adaId, services } = await createDataApp();
    await client.from("profiles").update({ display_name: "Ada", bio: "Engines" }).eq("user_id", adaId);
    const owner = await anonymous
      .from("profiles")
      .select("display_name, avatar_url, bio")
      .eq("user_id", adaId)
      .single();
    expect(owner.data).toEqual({ display_name: "Ada", avatar_url: null, bio: "Engines" });
    const tier = async (from: typeof client) =>
      (await from.from("profiles").select("subscription_tier").eq("id", adaId).single()).data;
    expect(await tier(client)).toEqual({ subscription_tier: "free" });
    expect(await tier(anonymous)).toEqual({ subscription_tier: null });
    await makePremium(services, adaId);
    expect(await tier(client)).toEqual({ subscription_tier: "premium" });
  });
});

describe("business_cards", () => {
  const form = {
    card_name: "Work",
    profession: "Mathematician",
    company: null,
    position: null,
    email: "ada@example.com",
    phone: null,
    years_experience: 12.5,
    professional_links: [{ name: "Notes", url: "https://ada.example/notes" }],
    is_public: true,
  };

  test("are created with the form's fields, counted, and limited to one on Free", async () => {
    const { client, adaId } = await openDataApp(await createStripeApp());
    const created = await client
      .from("business_cards")
      .insert([{ ...form, user_id: adaId }])
      .select()
      .single();
    expect(created).toMatchObject({ error: null, status: 201 });
    expect(created.data).toEqual({
      ...form,
      id: created.data.id,
      user_id: adaId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      pass_background_url: null,
      pass_background_original_url: null,
      pass_logo_url: null,
      pass_use_default_logo: true,
      passcreator_pass_id: null,
    });
    const counted = await client
      .from("business_cards")
      .select("*", { count: "exact", head: true })
      .eq("user_id", adaId);
    expect(counted).toMatchObject({ error: null, count: 1, data: null });
    const more = await Promise.all(
      Array.from({ length: 5 }, () => client.from("business_cards").insert({ user_id: adaId }).select().single()),
    );
    const refusal = { code: "P0001", message: cardLimitMessage(plans.free, true).text };
    for (const one of more) expect(one).toMatchObject({ status: 400, error: refusal });
  });

  test("begin with the specification's defaults", async () => {
    const { client, adaId } = await createDataApp();
    const { data } = await client.from("business_cards").insert({ user_id: adaId }).select().single();
    expect(data).toMatchObject({
      card_name: "My Business Card",
      professional_links: [],
      is_public: true,
      years_experience: null,
    });
  });

  test("are listed by user_id, newest first, and deleted by id and user_id", async () => {
    let now = Date.now();
    const { client, adaId, services } = await createDataApp({ clock: () => (now += 1_000) });
    await makePremium(services, adaId);
    for (const card_name of ["One", "Two", "Three"]) await client.from("business_cards").insert({ card_name });
    const list = () =>
      client
        .from("business_cards")
        .select("id, card_name, profession, company, position, is_public, created_at")
        .eq("user_id", adaId)
        .order("created_at", { ascending: false });
    const listed = await list();
    expect(listed.data?.map(({ card_name }) => card_name)).toEqual(["Three", "Two", "One"]);
    const id = listed.data?.[0]?.id;
    expect(await client.from("business_cards").delete().eq("id", id).eq("user_id", adaId)).toMatchObject({
      error: null,
      status: 204,
    });
    expect((await list()).data?.map(({ card_name }) => card_name)).toEqual(["Two", "One"]);
    const page = await client
      .from("business_cards")
      .select("card_name", { count: "exact" })
      .order("card_name")
      .range(1, 1);
    expect(page).toMatchObject({ data: [{ card_name: "Two" }], count: 2, status: 206 });
  });

  test("are shown to everyone by id while they are public, as on their page", async () => {
    const { client, anonymous, ada, adaId, services } = await createDataApp();
    const id = await makeCard(ada, { "visibility.phone": "file" });
    const read = () => anonymous.from("business_cards").select("*").eq("id", id).eq("is_public", true).maybeSingle();
    const { data } = await read();
    expect(data).toMatchObject({ id, user_id: adaId, company: "Analytical Engines", email: "ada@example.com" });
    const hidden = { card_name: null, created_at: null, pass_use_default_logo: null };
    expect(data).toMatchObject(hidden);
    await client.from("business_cards").update({ is_public: false }).eq("id", id);
    expect(await read()).toMatchObject({ data: null, error: null });
    await client.from("business_cards").update({ is_public: true }).eq("id", id);
    await services.db.updateTable("card").set({ is_paused: 1 }).execute();
    expect(await read()).toMatchObject({ data: null, error: null });
  });

  test("are updated by id and user_id with the checks of the form, and keep the ids of their links", async () => {
    const { client, ada, adaId, services, visitor } = await createDataApp();
    const id = await makeCard(ada);
    const page = async () => (await visitor().get(`/card/${id}`)).text();
    expect(await page()).not.toContain("Countess");
    const own = () => client.from("business_cards").select("*").eq("id", id).eq("user_id", adaId).single();
    const linkIds = async () => {
      const row = await services.db.selectFrom("card").select("professional_links").executeTakeFirstOrThrow();
      return JSON.parse(row.professional_links).map((link: { id: string }) => link.id);
    };
    const before = await linkIds();
    const { data: read } = await own();
    // The whole row, as it was read.
    const sent = { ...read, position: "Countess", professional_links: [{ ...read.professional_links[0], name: "N" }] };
    const updated = await client
      .from("business_cards")
      .update(sent)
      .eq("id", id)
      .eq("user_id", adaId)
      .select()
      .single();
    expect(updated).toMatchObject({ error: null, status: 200, data: sent });
    expect(await linkIds()).toEqual(before);
    expect(await page()).toContain("Countess");
    expect(await services.db.selectFrom("card").select("version").execute()).toEqual([{ version: 2 }]);
    const refused = await client
      .from("business_cards")
      .update({ card_name: null, email: "no", years_experience: 101 })
      .eq("id", id);
    expect(refused.error).toMatchObject({ code: "23514", details: "card_name, email, years_experience" });
    expect(refused.error?.message).toBe(
      `${cardMessages.cardNameRequired} ${cardMessages.invalidEmail} ${cardMessages.yearsRange}`,
    );
  });

  test("take the images of a pass: ours, with a tint on Premium, and the owner's own", async () => {
    const { client, ada, adaId, services } = await createDataApp();
    const id = await makeCard(ada);
    const image = `${services.config.baseUrl}/pass-images/washi.jpg?v=1`;
    const update = async (values: object) =>
      client.from("business_cards").update(values).eq("id", id).eq("user_id", adaId).select().single();
    const chosen = { pass_background_url: image, pass_background_original_url: image };
    expect((await update(chosen)).data).toMatchObject(chosen);
    const tinted = { pass_background_url: `${image}&tint=3a5f8c`, pass_background_original_url: image };
    expect((await update(tinted)).error).toMatchObject({ code: "P0001", details: "pass_background_url" });
    await makePremium(services, adaId);
    expect((await update(tinted)).data).toMatchObject(tinted);
    expect((await update({ pass_use_default_logo: false })).data).toMatchObject({ pass_use_default_logo: false });
    const assets = client.storage.from("pass-assets");
    const path = `${adaId}/logos/my logo.jpg`;
    await assets.upload(path, new Uint8Array(await jpeg()));
    const { publicUrl: pass_logo_url } = assets.getPublicUrl(path).data;
    expect((await update({ pass_logo_url })).data).toMatchObject({
      pass_logo_url: expect.stringContaining(`/files/pass-assets/${adaId}/logos/pass-`),
      pass_use_default_logo: false,
    });
    const { baseUrl } = services.config;
    const unknown = ["https://evil.example/a.jpg", `${baseUrl}/pass-images/no.jpg`, pass_logo_url, `${pass_logo_url}2`];
    for (const pass_background_url of unknown)
      expect((await update({ pass_background_url })).error).toMatchObject({ code: "23514" });
    expect((await update({ pass_background_url: null, pass_background_original_url: null })).error).toBeNull();
  });
});
