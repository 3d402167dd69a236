import { Icon } from "#app/ui/components/icon.tsx";

/** The specification's text. Here, because a profile page doesn't need the other ones. */
export const contactDownloaded = { title: "Contact Downloaded", text: "vCard saved to your device." } as const;

/** Opens the contact file of the card at `path`: "/card/7f…". */
export function SaveContactLink({ path }: { path: string }) {
  return (
    // No `download` attribute: an iPhone would store the file among its downloads instead of opening the contact.
    <a className="button main" href={`${path}/contact.vcf`} data-toast={Object.values(contactDownloaded).join("|")}>
      <Icon name="user-plus" />
      Save Contact
    </a>
  );
}

/** Opens the contact form at `path`: "/card/7f…/connect". */
export function ShareDetailsLink({ path }: { path: string }) {
  return (
    <a className="button second" href={path} rel="nofollow">
      <Icon name="user-send" />
      <span>
        Share your details<span className="back"> back</span>
      </span>
    </a>
  );
}

/** Save Contact on a profile, with links to the card and to its form. */
export function ContactButtons({ path, formPath }: { path: string; formPath?: string | undefined }) {
  return (
    <div className="actions">
      <SaveContactLink path={path} />
      <a className="button" href={path}>
        Open card
      </a>
      {formPath && <ShareDetailsLink path={formPath} />}
    </div>
  );
}
