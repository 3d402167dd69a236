import { countEntries } from "#app/features/links/rules.ts";
import { entriesOfTab } from "#app/features/links/tab-rules.ts";
import { fileMessages } from "#app/features/profile/messages.ts";
import type { PublicProfile, PublicProfileLink } from "#app/features/profile/public-profile.server.ts";
import { publicName } from "#app/features/profile/rules.ts";
import { toThemeId } from "#app/features/profile/themes.ts";
import { nameSize } from "#app/features/sharing/name-style.ts";
import { QrButton, ShareButton, ShareSheets } from "#app/features/sharing/share-view.tsx";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import type { SharedPage } from "#app/features/sharing/share-view.tsx";
import { MadeWithMeishi } from "#app/features/shell/brand.tsx";
import { avatarUrls, bannerUrls } from "#app/features/uploads/image-urls.ts";
import { textDirection } from "#app/ui/components/characters.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import { Portrait } from "#app/ui/components/portrait.tsx";

import { LinkList } from "./link-list.tsx";

/** A profile as visitors see it. In the editor's preview it isn't a landmark, and nothing in it is counted. */
export function ProfileView({ profile, qr, viewer, contact, cards, isPreview = false }: ProfileViewProps) {
  const name = publicName(profile.displayName);
  // Unique when a page has two views.
  const idPrefix = isPreview ? "preview" : "profile";
  const shared = toShared(profile, { name, qr, idPrefix });
  const resume = profile.resumeFilename && (
    <ResumeCard filename={profile.resumeFilename} path={`/u/${profile.id}/resume`} isOwn={viewer === "owner"} />
  );
  const Page = isPreview ? "div" : "main";
  const Name = isPreview ? "p" : "h1";
  return (
    <Page
      className="page"
      data-theme={toThemeId(profile.theme)}
      data-subject={isPreview ? undefined : `profile:${profile.id}`}
      dir={textDirection(name)}
    >
      <div className="column profile">
        {viewer === "owner" && <OwnerBar />}
        {viewer && viewer !== "owner" && <ReadOnlyNotice ownPath={`/u/${viewer.userId}`} />}
        <div className="banner">
          <BannerImage imageKey={profile.bannerKey} />
        </div>
        <div className="top">
          <Portrait name={name} image={avatarUrls(profile.avatarKey)} width={96} />
          <QrButton shared={shared} isIcon />
          <ShareButton shared={shared} isIcon />
        </div>
        <Name className="name" dir="auto" {...nameSize(name)}>
          {name}
        </Name>
        {profile.bio && (
          <p className="bio" dir="auto">
            {profile.bio}
          </p>
        )}
        {contact}
        {viewer === "owner" || contact || hasContent(profile) ? (
          <ProfileLinks links={profile.links} cards={cards} resume={resume} idPrefix={idPrefix} />
        ) : (
          <p className="bio">Nothing here yet.</p>
        )}
        {profile.hasBranding && <MadeWithMeishi isSample={profile.isSample} />}
      </div>
      <ShareSheets shared={shared} />
    </Page>
  );
}

type ProfileViewProps = {
  profile: PublicProfile;
  qr: QrDrawing;
  /** Left out for a visitor; for another signed-in user their own id. */
  viewer?: "owner" | { userId: string };
  /** The buttons for the contact file and the card; nothing without a public card. */
  contact?: React.ReactNode;
  /** The list of business cards, which only the owner sees. */
  cards?: React.ReactNode;
  isPreview?: boolean;
};

function hasContent({ bio, links, resumeFilename, avatarKey, bannerKey }: PublicProfile): boolean {
  return Boolean(bio || links.length > 0 || resumeFilename || avatarKey || bannerKey);
}

function toShared(profile: PublicProfile, page: { name: string; qr: QrDrawing; idPrefix: string }): SharedPage {
  return {
    title: "Share this profile",
    scan: "Scan to open this profile",
    url: profile.profileUrl,
    path: `/u/${profile.id}`,
    text: page.name,
    qr: page.qr,
    idPrefix: page.idPrefix,
  };
}

/** Decorative. The theme's colors are behind it until it has loaded. */
function BannerImage({ imageKey }: { imageKey: string | null }) {
  const urls = bannerUrls(imageKey);
  if (!urls) return null;
  return (
    <picture>
      {/* Chosen by the width of the window, not by device pixels: the smaller image is good enough for any phone. */}
      <source type="image/webp" media="(max-width: 699px)" srcSet={urls.small} />
      <source
        type="image/webp"
        srcSet={`${urls.small} 860w, ${urls.large} 1280w`}
        sizes="(max-width: 899px) 600px, 100vw"
      />
      <img src={urls.jpeg} width={1280} height={427} alt="" decoding="async" />
    </picture>
  );
}

function OwnerBar() {
  return (
    <aside className="notice">
      <p>
        <b>Your profile</b>
      </p>
      <a className="button" href="/profile">
        Edit Profile
      </a>
      <a className="button" href="/share/profile">
        Share
      </a>
    </aside>
  );
}

function ReadOnlyNotice({ ownPath }: { ownPath: string }) {
  return (
    <aside className="notice">
      <p>
        <b>Viewing a Public Profile</b>
        <small>This is a read-only view.</small>
      </p>
      <a className="button" href={ownPath}>
        Go to My Profile
      </a>
    </aside>
  );
}

/**
 * The links on two tabs; the first one with links is open. The tabs need no JavaScript: two radio buttons; CSS shows the panel of the checked one.
 */
function ProfileLinks({ links, cards, resume, idPrefix }: ProfileLinksProps) {
  const professional = entriesOfTab(links, "professional");
  const personal = entriesOfTab(links, "personal");
  const professionalPanel = (
    <section className="panel">
      <LinkCards title="Professional Links" links={professional} empty="No professional links added yet." />
      {cards && (
        <>
          <h2 className="caps">Business Cards</h2>
          {cards}
        </>
      )}
      {resume && (
        <>
          <h2 className="caps">Resume</h2>
          {resume}
        </>
      )}
    </section>
  );
  const personalPanel = (
    <section className="panel">
      <LinkCards title="Personal Links" links={personal} empty="No personal links added yet." />
    </section>
  );
  const opensPersonal = personal.length > 0 && professional.length === 0;
  return (
    <fieldset className="tabs" aria-label="Links">
      <Tab name="Professional" count={countEntries(professional).links} isOpen={!opensPersonal} idPrefix={idPrefix} />
      <Tab name="Personal" count={countEntries(personal).links} isOpen={opensPersonal} idPrefix={idPrefix} />
      {professionalPanel}
      {personalPanel}
    </fieldset>
  );
}

type ProfileLinksProps = {
  links: readonly PublicProfileLink[];
  cards: React.ReactNode;
  resume: React.ReactNode;
  idPrefix: string;
};

function Tab({ name, count, isOpen, idPrefix }: { name: string; count: number; isOpen: boolean; idPrefix: string }) {
  const id = `${idPrefix}-${name.toLowerCase()}`;
  return (
    <>
      <input type="radio" name={`${idPrefix}-tab`} id={id} defaultChecked={isOpen} />
      <label htmlFor={id}>
        {name} <span className="count">{count}</span>
      </label>
    </>
  );
}

/** `empty` is shown instead of links. */
function LinkCards({ title, links, empty }: LinkCardsProps) {
  return (
    <>
      <h2 className="caps">{title}</h2>
      {links.length === 0 ? <p className="bio">{empty}</p> : <LinkList entries={links} />}
    </>
  );
}

type LinkCardsProps = { title: string; links: readonly PublicProfileLink[]; empty: string };

/** Plain links, so that the resume can be opened and saved without JavaScript. */
export function ResumeCard({ filename, path, isOwn }: ResumeCardProps) {
  return (
    <div className="resume">
      <span className="icon">
        <Icon name="document" />
      </span>
      <span className="text">
        <b dir="auto">{filename}</b>
        <small>{isOwn ? fileMessages.resumeOwn : fileMessages.resumeOthers}</small>
      </span>
      <div className="actions">
        <a className="button" href={path} target="_blank" rel="noopener" data-toast={fileMessages.resumeOpened}>
          View
        </a>
        <a className="button" href={`${path}?download`} data-toast={fileMessages.resumeDownloaded}>
          Download
        </a>
      </div>
    </div>
  );
}

type ResumeCardProps = {
  /** The name of the uploaded file. */
  filename: string;
  /** "/u/…/resume". */
  path: string;
  isOwn: boolean;
};
