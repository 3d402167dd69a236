import { useState } from "react";

import { copy } from "#app/features/sharing/copy-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { PageHeader } from "#app/ui/components/page.tsx";

/** The link back to the public page, and its address to copy. */
export function EditorHeader({ profileUrl }: { profileUrl: string }) {
  return (
    <PageHeader
      title="Your profile"
      back={
        <ButtonLink variant="plain" size="s" href={new URL(profileUrl).pathname} className="-ms-3">
          <span aria-hidden="true">←</span> Back
        </ButtonLink>
      }
      intro={<ProfileAddress url={profileUrl} />}
    />
  );
}

/** The saved address; a typed handle takes effect with the next save. */
function ProfileAddress({ url }: { url: string }) {
  const [announcement, setAnnouncement] = useState("");
  const copyUrl = async () => {
    const isCopied = await copy({ text: url });
    setAnnouncement(isCopied ? "Link copied" : "Couldn’t copy. Select the link and copy it manually.");
    setTimeout(() => setAnnouncement(""), 5_000);
  };
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-60 text-muted">
        <bdi className="select-all wrap-anywhere">{url.replace(/^https?:\/\//, "")}</bdi>
      </p>
      <div className="flex flex-wrap items-center gap-2.5">
        <Button size="s" className="noscript:hidden" onClick={() => void copyUrl()}>
          <Icon name="copy" />
          Copy link
        </Button>
        <ButtonLink size="s" href="/share/profile">
          <Icon name="share" />
          Share
        </ButtonLink>
        <output className="text-sm text-muted empty:-ms-2.5">{announcement}</output>
      </div>
    </div>
  );
}
