import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import type { PublicProfile } from "#app/features/profile/public-profile.server.ts";
import { qrPath } from "#app/features/sharing/qr/qr-code.ts";

import { ProfileView } from "./profile-view.tsx";

const linkedin = {
  id: "link-1",
  label: "LinkedIn",
  url: "https://www.linkedin.com/in/demo",
  kind: "link",
  tab: "professional",
} as const;
const github = {
  id: "link-2",
  label: "GitHub",
  url: "https://github.com/demo",
  kind: "link",
  tab: "professional",
} as const;
const music = {
  id: "link-3",
  label: "Music",
  url: "https://open.spotify.com/demo",
  kind: "link",
  tab: "personal",
} as const;
const demo: PublicProfile = {
  id: "demo-user",
  displayName: "Demo User",
  bio: "Product designer.\nI make small things.",
  theme: "default",
  links: [linkedin, music, github],
  profileUrl: "https://meishi.example/u/demo",
  hasBranding: true,
  avatarKey: null,
  bannerKey: null,
  resumeFilename: "",
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
/** The headings above the links, cards and files of the profile. */
const headingsOf = (html: string) => [...html.matchAll(/<h2 class="caps">([^<]*)/g)].map(([, heading]) => heading);
const openTab = (html: string) => /<input[^>]*id="profile-(\w+)"[^>]* checked=""/.exec(html)?.[1];

describe("the public profile", () => {
  test("tells visitors when there is nothing on it yet", () => {
    const empty = { bio: "", links: [] };
    expect(textOf(show(empty))).toContain("Nothing here yet.");
    const own = textOf(show(empty, { viewer: "owner" }));
    expect(own).toContain("No professional links added yet.");
    for (const text of [
      own,
      textOf(show({ ...empty, bio: "Designer" })),
      textOf(show({ ...empty, links: [music] })),
      textOf(show({ ...empty, resumeFilename: "resume.pdf" })),
      textOf(show(empty, { contact: "Save Contact" })),
    ])
      expect(text).not.toContain("Nothing here yet.");
  });

  test("shows the name, the bio with its line breaks, and each link on its tab", () => {
    const text = textOf(show());
    expect(text).toMatch(/^DU\nQR Code\nShare\nDemo User\nProduct designer\.\nI make small things\./);
    expect(text).toContain("Professional\n2\nPersonal\n1");
    expect(text).toContain(
      "Professional Links\nLinkedIn\nlinkedin.com\nGitHub\ngithub.com\nPersonal Links\nMusic\nopen.spotify.com",
    );
    expect(text).toContain("Made with Meishi");
  });

  test("tells the owner when a tab has no links", () => {
    const text = textOf(show({ links: [] }, { viewer: "owner" }));
    expect(text).toContain("Professional\n0\nPersonal\n0");
    expect(text).toContain("Professional Links\nNo professional links added yet.");
    expect(text).toContain("Personal Links\nNo personal links added yet.");
  });

  test.each([
    ["a visitor", {}],
    ["a signed-in stranger", { viewer: { userId: "user-2" } }],
  ])("shows %s no empty tab: one with links is shown without tabs, none without a heading", (_, props) => {
    const read = (profile: Partial<PublicProfile>) => {
      const html = show(profile, props);
      return { hasTabs: /<fieldset|<input|class="count"/.test(html), headings: headingsOf(html) };
    };
    expect(read({})).toEqual({ hasTabs: true, headings: ["Professional Links", "Personal Links"] });
    expect(read({ links: [github] })).toEqual({ hasTabs: false, headings: ["Professional Links"] });
    expect(read({ links: [music] })).toEqual({ hasTabs: false, headings: ["Personal Links"] });
    expect(read({ links: [], resumeFilename: "cv.pdf" })).toEqual({ hasTabs: false, headings: ["Resume"] });
    const both = { links: [music], resumeFilename: "cv.pdf" };
    expect(read(both)).toEqual({ hasTabs: true, headings: ["Resume", "Personal Links"] });
    expect(read({ links: [] })).toEqual({ hasTabs: false, headings: [] });
    expect(show({ links: [] }, props)).not.toContain("added yet");
  });

  test("opens the first tab that has links", () => {
    const toOwner = { viewer: "owner" } as const;
    expect(openTab(show())).toBe("professional");
    expect(openTab(show({}, toOwner))).toBe("professional");
    expect(openTab(show({ links: [music] }, toOwner))).toBe("personal");
    expect(openTab(show({ links: [] }, toOwner))).toBe("professional");
    expect(openTab(show({ links: [music] }, { ...toOwner, cards: <p>Mine</p> }))).toBe("personal");
    expect(openTab(show({ links: [] }, { ...toOwner, cards: <p>Mine</p> }))).toBe("professional");
    expect(openTab(show({ links: [music], resumeFilename: "cv.pdf" }))).toBe("personal");
  });

  test("builds the tabs from radio buttons, without JavaScript", () => {
    const html = show();
    expect(html.match(/<input type="radio"[^>]* name="profile-tab"/g)).toHaveLength(2);
    expect(html).toContain('<label for="profile-professional">');
    expect(html).toContain('<label for="profile-personal">');
    expect(html).not.toMatch(/<script|\sstyle=/);
  });

  test("marks links with rel=me and opens them in a new tab without opener or referrer", () => {
    expect(show()).toContain(
      '<a href="https://github.com/demo" target="_blank" rel="me noopener noreferrer" data-target="link-2">',
    );
    expect(show()).toContain('data-subject="profile:demo-user"');
  });

  test("shows the owner a bar with links to the editor and to sharing, and the list of cards", () => {
    const html = show({}, { viewer: "owner", cards: <p>My Business Card</p> });
    expect(textOf(html)).toMatch(/^Your profile\nEdit Profile\nShare\n/);
    expect(html).toContain('<a class="button" href="/profile">Edit Profile</a>');
    expect(html).toContain('<a class="button" href="/share/profile">Share</a>');
    expect(textOf(html)).toContain("Business Cards\nMy Business Card\nPersonal Links");
    expect(html).not.toContain("read-only");
  });

  test("shows another signed-in user the read-only notice", () => {
    const html = show({}, { viewer: { userId: "user-2" } });
    expect(textOf(html)).toMatch(/^Viewing a Public Profile\nThis is a read-only view\.\nGo to My Profile/);
    expect(html).toContain('<a class="button" href="/u/user-2">Go to My Profile</a>');
    expect(html).not.toContain("Edit Profile");
  });

  test("shows a visitor neither notice nor editor nor cards", () => {
    expect(show()).not.toMatch(/Your profile|Edit Profile|Viewing a Public|Business Cards/);
  });

  test("uses 'Professional' for an empty name and the default theme for an unknown one", () => {
    expect(show({ displayName: " " })).toMatch(/<h1[^>]*>Professional<\/h1>/);
    expect(show({ theme: "neon" })).toContain('data-theme="default"');
    expect(show({ theme: "forest" })).toContain('data-theme="forest"');
  });

  test("shows headings on the tabs of the links below them, and counts links only", () => {
    const talks = { ...music, id: "h1", kind: "heading", label: "Talks <3", url: "" } as const;
    const html = show({ links: [linkedin, talks, github, { ...talks, id: "h2", label: "Empty" }] });
    expect(textOf(html)).toMatch(/Professional Links\nLinkedIn\n.*\nTalks &lt;3\nGitHub\n/);
    expect(html.match(/<h3/g)).toHaveLength(1);
    expect(textOf(show({ links: [talks, linkedin, music] }))).toMatch(/Professional\n1\nPersonal\n1/);
  });

  test("shows a link as a card that names the medium and the site, and requests nothing from it", () => {
    const video = { ...music, kind: "media", label: "My talk", url: "https://www.youtube.com/watch?v=1" } as const;
    const html = show({ links: [video] });
    expect(textOf(html)).toContain("My talk\nVideo · YouTube\n");
    expect(html).toContain('data-target="link-3"');
    expect(html).not.toMatch(/<(?:img|iframe|script|video)[^>]+youtube/);
  });

  test("shows a featured link with its picture, and as a plain link without one", () => {
    const featured = { ...music, kind: "featured", picture: "pictures/ada/x_1790000000000", alt: "A garden" } as const;
    expect(show({ links: [featured] })).toMatch(
      /<li class="featured"><a href="[^"]+"[^>]*><img src="\/files\/pictures\/ada\/x_1790000000000\.webp[^"]*" alt="A garden"/,
    );
    expect(show({ links: [{ ...featured, picture: "" }] })).not.toContain("featured");
  });

  test("names a link without a label by its host", () => {
    const text = textOf(show({ links: [{ ...music, label: "", url: "https://www.example.com/me" }] }));
    expect(text).toContain("Personal Links\nexample.com\n");
    expect(text.match(/example\.com/g)).toHaveLength(1);
  });

  test("shows the avatar over the initials", () => {
    const html = show({ avatarKey: "avatars/demo-user/avatar_1790000000000" });
    expect(html).toContain('<span class="avatar" aria-hidden="true">DU<picture>');
    expect(html).toMatch(/_192\.webp\?v=mubbs7i8 192w, [^ ]+_384\.webp\?v=mubbs7i8 384w" sizes="96px"/);
    expect(html).toContain('src="/files/avatars/demo-user/avatar_1790000000000.jpg?v=mubbs7i8"');
    expect(show()).not.toContain("<picture");
  });

  test("offers the banner in two sizes", () => {
    const html = show({ bannerKey: "banners/demo-user/banner_1790000000000" });
    const banner = /<div class="banner">(.*?)<\/div>/.exec(html)?.[1] ?? "";
    expect(banner).toMatch(
      /^<picture><source type="image\/webp" media="\(max-width: 699px\)" srcSet="[^" ]+_860\.webp/,
    );
    expect(banner).toMatch(/<img [^>]*alt="" decoding="async"\/><\/picture>$/);
  });

  test("shows the resume below the professional links, as plain links", () => {
    const html = show({ resumeFilename: "ada <cv>.pdf" });
    expect(textOf(html)).toContain(
      "github.com\nResume\nada &lt;cv&gt;.pdf\nAvailable for download\nView\nDownload\nPersonal",
    );
    expect(html).toContain('href="/u/demo-user/resume" target="_blank" rel="noopener" data-toast="Opening resume"');
    expect(html).toContain('href="/u/demo-user/resume?download" data-toast="Resume downloaded"');
    expect(textOf(show({ resumeFilename: "cv.pdf" }, { viewer: "owner" }))).toContain("cv.pdf\nYour resume");
    expect(show()).not.toContain("resume");
  });

  test("counts only links, not a resume", () => {
    const html = show({ links: [music], resumeFilename: "cv.pdf" });
    expect(textOf(html)).toContain("Professional\n0\nPersonal\n1");
    const toOwner = textOf(show({ links: [music], resumeFilename: "cv.pdf" }, { viewer: "owner" }));
    expect(toOwner).toContain("No professional links added yet.\nResume\ncv.pdf");
  });

  test("has no landmark, h1, counted links or duplicate ids as the editor's preview", () => {
    const html = show({}, { isPreview: true });
    expect(html).toMatch(/^<div class="page" data-theme="default">/);
    expect(html).not.toMatch(/<main|<h1|data-subject/);
    expect([...html.matchAll(/ (?:id|name|for)="([^"]*)"/g)].every(([, id]) => id?.startsWith("preview-"))).toBe(true);
  });
});
