import { Field } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { TextAreaField } from "#app/ui/text-area-field.tsx";

import { useAfterPress } from "./after-press.ts";
import { AvatarField } from "./avatar-field.tsx";
import type { Edit, Editing } from "./editing.ts";
import { messages } from "./messages.ts";
import type { Pictures } from "./pictures.ts";
import { countCharacters, maxBio, maxDisplayName, maxTyped, shownName } from "./rules.ts";

/** Who it is: picture, name, bio and the handle. No field cuts what is pasted: it is counted, and said to be too long. */
export function DetailsSection({ editing, dispatch, ownId, origin, pictures }: DetailsProps) {
  const { draft, problems } = editing;
  const nameLength = countCharacters(draft.displayName);
  const bioLength = countCharacters(draft.bio);
  const type = (name: "displayName" | "bio") => (event: { currentTarget: { value: string } }) =>
    dispatch({ kind: "text", name, value: event.currentTarget.value });
  return (
    <Panel title="Profile Details">
      <div className="grid gap-5">
        <AvatarField name={shownName(draft.displayName.slice(0, maxTyped))} pictures={pictures} />
        <Field
          label="Display name"
          name="displayName"
          value={draft.displayName}
          onChange={type("displayName")}
          error={nameLength > maxDisplayName ? messages.nameTooLong : problems["displayName"]}
          aside={nameLength > maxDisplayName - 10 && `${nameLength}/${maxDisplayName}`}
          placeholder="Professional"
          dir="auto"
          autoComplete="off"
        />
        <TextAreaField
          label="Bio"
          name="bio"
          value={draft.bio}
          onChange={type("bio")}
          error={bioLength > maxBio ? messages.bioTooLong : problems["bio"]}
          aside={`${bioLength}/${maxBio}`}
          dir="auto"
          className="max-h-80"
        />
        <HandleField {...{ editing, dispatch, ownId, origin }} />
        <Switch
          name="isListed"
          label="List this page"
          hint={messages.listed}
          checked={draft.isListed}
          onChange={(event) => dispatch({ kind: "switch", name: "isListed", isOn: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}

type DetailsProps = {
  editing: Editing;
  dispatch: (edit: Edit) => void;
  ownId: string;
  /** Where the public pages are: "https://meishi.example". */
  origin: string;
  pictures: Pictures;
};

function HandleField({ editing, dispatch, ownId, origin }: Omit<DetailsProps, "pictures">) {
  const { draft, problems } = editing;
  const afterPress = useAfterPress();
  const checkTyped = ({ currentTarget: input }: React.FocusEvent<HTMLInputElement>) => {
    const typed = input.value;
    if (typed.trim() === "") return;
    // Its list of reserved words is loaded only for those who choose a handle. Without a connection the save says the same.
    import("./handle.ts").then(
      ({ checkHandle }) => {
        const checked = checkHandle(typed);
        if ("problem" in checked && input.value === typed)
          afterPress(() => dispatch({ kind: "problem", name: "handle", text: checked.problem }));
      },
      () => undefined,
    );
  };
  return (
    <Field
      label="Handle"
      name="handle"
      value={draft.handle}
      onChange={(event) => dispatch({ kind: "text", name: "handle", value: event.currentTarget.value })}
      onBlur={checkTyped}
      error={problems["handle"]}
      hint={
        <AddressHint
          path={addressOf(draft.handle, ownId)}
          origin={origin}
          isSaved={draft.handle === editing.saved.handle}
          isChanged={hasChanged(editing)}
        />
      }
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

function AddressHint({ path, origin, isSaved, isChanged }: AddressHintProps) {
  return (
    <>
      {isSaved ? "Your page is at" : "Once you save, your page is at"}{" "}
      <bdi className="text-text">
        {origin.replace(/^https?:\/\//, "")}
        {path}
      </bdi>
      {isChanged && ". The address you had before keeps leading there."}
    </>
  );
}

type AddressHintProps = { path: string; origin: string; isSaved: boolean; isChanged: boolean };

/** The path under which visitors would find the profile with this handle, as far as can be told while it is typed. */
function addressOf(typed: string, ownId: string): string {
  const handle = typed.trim().toLowerCase();
  return `/u/${/^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$/.test(handle) ? handle : ownId}`;
}

function hasChanged({ draft, saved }: Editing): boolean {
  return saved.handle !== "" && draft.handle !== saved.handle;
}
