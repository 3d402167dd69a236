import { LinkRow } from "#app/features/links/link-row.tsx";
import type { Tab } from "#app/features/links/rules.ts";
import { ShareButtons, ShareSheets } from "#app/features/sharing/share-view.tsx";
import type { QrDrawing, Shared } from "#app/features/sharing/share-view.tsx";
import { avatarPicture, bannerPicture } from "#app/features/uploads/pictures.ts";
import { directionOf } from "#app/ui/direction.ts";
import { countSigns } from "#app/ui/initials.ts";
import { Portrait } from "#app/ui/portrait.tsx";
import { MadeWithMeishi } from "#app/ui/seal.tsx";

import { ResumeCard } from "./resume-card.tsx";
import { shownName } from "./rules.ts";
import { themeIdOf } from "./theme-choices.ts";

/** A profile as a visitor sees it. Also the editor's preview: without `qr` it has nothing to share and is no landmark. */
export function ProfileView({ profile, qr, viewer, cards, idPrefix = "profile" }: ProfileViewProps) {
  const name = shownName(profile.displayName);
  const shared = qr && sharedProfile(profile, { name, qr, idPrefix });
  const resume = profile.resumeFilename && (
    <ResumeCard filename={profile.resumeFilename} path={`/u/${profile.id}/resume`} isOwn={viewer === "owner"} />
  );
  const Page = shared ? "main" : "div";
  const Name = shared ? "h1" : "p";
  return (
    <Page
      className="page"
      data-theme={themeIdOf(profile.theme)}
      data-subject={shared && `profile:${profile.id}`}
      dir={directionOf(name)}
    >
      <div className="column profile">
        {viewer && viewer !== "owner" && <ReadOnlyNotice ownPath={`/u/${viewer.memberId}`} />}
        <div className="banner">
          <BannerPicture stem={profile.bannerStem} />
          {viewer === "owner" && (
            <a className="button" href="/profile">
              Edit Profile
            </a>
          )}
        </div>
        <div className="top">
          <Portrait name={name} picture={avatarPicture(profile.avatarStem)} width={96} />
          {shared && <ShareButtons shared={shared} iconsOnly />}
        </div>
        <Name className="name" dir="auto" data-long={countSigns(name) > longName || undefined}>
          {name}
        </Name>
        {profile.bio && (
          <p className="bio" dir="auto">
            {profile.bio}
          </p>
        )}
        <LinkTabs links={profile.links} cards={cards} resume={resume} idPrefix={idPrefix} />
        {profile.hasBranding && <MadeWithMeishi isSample={profile.isSample} />}
      </div>
      {shared && <ShareSheets shared={shared} />}
    </Page>
  );
}

export type PublicProfile = {
  id: string;
  displayName: string;
  bio: string | null;
  theme: string;
  /** Those that are shown now, in the owner's order. */
  links: readonly ProfileLink[];
  /** The whole public address, without a source mark. */
  profileUrl: string;
  hasBranding: boolean;
  /** Where their pictures lie in the store, or null. */
  avatarStem: string | null;
  bannerStem: string | null;
  /** "" while there is no resume. */
  resumeFilename: string;
  /** Nobody's real profile. */
  isSample?: boolean;
};

type ProfileLink = { id: string; label: string; url: string; tab: Tab };

type ProfileViewProps = {
  profile: PublicProfile;
  /** Left out in the preview. */
  qr?: QrDrawing;
  /** Nobody signed in: left out. Someone else who is signed in: their own id. */
  viewer?: "owner" | { memberId: string };
  /** The list of the owner's business cards, given only to the owner. */
  cards?: React.ReactNode;
  /** Keeps the ids of two views on one page apart. */
  idPrefix?: string;
};

/** From this many signs on a name is set smaller, so that it takes two lines and not four. */
const longName = 22;

function sharedProfile(profile: PublicProfile, page: { name: string; qr: QrDrawing; idPrefix: string }): Shared {
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

/** Decoration: nothing is read out. Until it is there, and where it can't be loaded, the theme's own colours stand behind it. */
function BannerPicture({ stem }: { stem: string | null }) {
  const picture = bannerPicture(stem);
  if (!picture) return null;
  return (
    <picture>
      {/* By the width of the window and not by its pixels: a phone is served well by the smaller one, whatever its screen. */}
      <source type="image/webp" media="(max-width: 699px)" srcSet={picture.small} />
      <source type="image/webp" srcSet={`${picture.small} 860w, ${picture.large} 1280w`} sizes="600px" />
      <img src={picture.jpeg} width={1280} height={427} alt="" decoding="async" />
    </picture>
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

/** Tabs without script: two radio buttons, of which the checked one shows its panel. */
function LinkTabs({
  links,
  cards,
  resume,
  idPrefix,
}: {
  links: readonly ProfileLink[];
  cards: React.ReactNode;
  resume: React.ReactNode;
  idPrefix: string;
}) {
  const professional = links.filter(({ tab }) => tab === "professional");
  const personal = links.filter(({ tab }) => tab === "personal");
  const opensPersonal = professional.length === 0 && !cards && !resume && personal.length > 0;
  const tab = (name: string, count: number, isOpen: boolean) => {
    const id = `${idPrefix}-${name.toLowerCase()}`;
    return (
      <>
        <input type="radio" name={`${idPrefix}-tab`} id={id} defaultChecked={isOpen} />
        <label htmlFor={id}>
          {name} <span className="count">{count}</span>
        </label>
      </>
    );
  };
  return (
    <fieldset className="tabs">
      <legend className="unseen">Links</legend>
      {tab("Professional", professional.length, !opensPersonal)}
      {tab("Personal", personal.length, opensPersonal)}
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
      <section className="panel">
        <LinkCards title="Personal Links" links={personal} empty="No personal links added yet." />
      </section>
    </fieldset>
  );
}

function LinkCards({ title, links, empty }: { title: string; links: readonly ProfileLink[]; empty: string }) {
  return (
    <>
      <h2 className="caps">{title}</h2>
      {links.length === 0 ? (
        <p className="empty">{empty}</p>
      ) : (
        <ul className="cards">
          {links.map(({ id, label, url }) => (
            <LinkRow key={id} link={{ id, name: label, url }} rel="me" />
          ))}
        </ul>
      )}
    </>
  );
}
