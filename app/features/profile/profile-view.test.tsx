import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { qrPath } from "#app/features/sharing/qr-code.ts";

import { ProfileView } from "./profile-view.tsx";
import type { PublicProfile } from "./profile-view.tsx";

const linkedin = { id: "link-1", label: "LinkedIn", url: "https://www.linkedin.com/in/demo" };
const github = { id: "link-2", label: "GitHub", url: "https://github.com/demo" };
const music = { id: "link-3", label: "Music", url: "https://open.spotify.com/demo" };
const demo: PublicProfile = {
  id: "demo-user",
  displayName: "Demo User",
  bio: "Product designer.\nI make small things.",
  theme: "default",
  links: [linkedin, music, github],
  profileUrl: "https://meishi.example/u/demo",
  hasBranding: true,
};
const qr = qrPath(`${demo.profileUrl}?q`);
type Props = Partial<Omit<React.ComponentProps<typeof ProfileView>, "profile">>;
const show = (profile: Partial<PublicProfile> = {}, props: Props = {}) =>
  renderToStaticMarkup(<ProfileView profile={{ ...demo, ...profile }} qr={qr} {...props} />);
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/[ \t]*\n\s*/g, "\n")
    .trim();
const openTab = (html: string) => /<input[^>]*id="profile-(\w+)"[^>]* checked=""/.exec(html)?.[1];

describe("the public profile", () => {
  test("shows the name, the bio with its lines, and each link on its tab", () => {
    const text = textOf(show());
    expect(text).toMatch(/^DU\nQR Code\nShare\nDemo User\nProduct designer\.\nI make small things\./);
    expect(text).toContain("Professional\n2\nPersonal\n1");
    expect(text).toContain(
      "Professional Links\nLinkedIn\nlinkedin.com\nGitHub\ngithub.com\nPersonal Links\nMusic\nopen.spotify.com",
    );
    expect(text).toContain("Made with Meishi");
  });

  test("says so where a tab has no links", () => {
    const text = textOf(show({ links: [] }));
    expect(text).toContain("Professional Links\nNo professional links added yet.");
    expect(text).toContain("Personal Links\nNo personal links added yet.");
  });

  test("opens the first tab that has something on it", () => {
    expect(openTab(show())).toBe("professional");
    expect(openTab(show({ links: [music] }))).toBe("personal");
    expect(openTab(show({ links: [] }))).toBe("professional");
    expect(openTab(show({ links: [music] }, { viewer: "owner", cards: <p>Mine</p> }))).toBe("professional");
  });

  test("has tabs that need no script: two radio buttons of one group, each with its label", () => {
    const html = show();
    expect(html.match(/<input type="radio"[^>]* name="profile-tab"/g)).toHaveLength(2);
    expect(html).toContain('<label for="profile-professional">');
    expect(html).toContain('<label for="profile-personal">');
    expect(html).not.toMatch(/<script|\sstyle=/);
  });

  test("says that its links lead to the same person, in a new tab that knows nothing of this one", () => {
    expect(show()).toContain(
      '<a href="https://github.com/demo" target="_blank" rel="me noopener noreferrer" data-target="link-2">',
    );
    expect(show()).toContain('data-subject="profile:demo-user"');
  });

  test("shows the owner the way to the editor and the list of cards", () => {
    const html = show({}, { viewer: "owner", cards: <p>My Business Card</p> });
    expect(html).toMatch(/<a class="button" href="\/profile">Edit Profile<\/a>/);
    expect(textOf(html)).toContain("Business Cards\nMy Business Card\nPersonal Links");
    expect(html).not.toContain("read-only");
  });

  test("tells someone else who is signed in that they can only read", () => {
    const html = show({}, { viewer: { memberId: "user-2" } });
    expect(textOf(html)).toMatch(/^Viewing a Public Profile\nThis is a read-only view\.\nGo to My Profile/);
    expect(html).toContain('<a class="button" href="/u/user-2">Go to My Profile</a>');
    expect(html).not.toContain("Edit Profile");
  });

  test("shows a visitor neither", () => {
    expect(show()).not.toMatch(/Edit Profile|Viewing a Public|Business Cards/);
  });

  test("falls back to 'Professional' for a profile without a name, and to paper for a theme it doesn't know", () => {
    expect(show({ displayName: " " })).toMatch(/<h1[^>]*>Professional<\/h1>/);
    expect(show({ theme: "neon" })).toContain('data-theme="default"');
    expect(show({ theme: "forest" })).toContain('data-theme="forest"');
  });

  test("names a link without a label by its host", () => {
    const text = textOf(show({ links: [{ id: "1", label: "", url: "https://www.example.com/me" }] }));
    expect(text).toContain("Personal Links\nexample.com\n");
    expect(text.match(/example\.com/g)).toHaveLength(1);
  });

  test("in the editor is no page of its own: no landmark, no heading of the first order, nothing to share, other ids", () => {
    const html = renderToStaticMarkup(<ProfileView profile={demo} idPrefix="preview" />);
    expect(html).toMatch(/^<div class="page" data-theme="default">/);
    expect(html).not.toMatch(/<main|<h1|popover|QR Code|data-subject/);
    expect([...html.matchAll(/ (?:id|name|for)="([^"]*)"/g)].every(([, id]) => id?.startsWith("preview-"))).toBe(true);
  });
});
