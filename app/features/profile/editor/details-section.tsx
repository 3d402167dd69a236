import type { ComponentProps } from "react";

import { AvatarField } from "#app/features/profile/files/avatar-field.tsx";
import type { ProfileFiles } from "#app/features/profile/files/profile-files.ts";
import { HandleField } from "#app/features/profile/handle/handle-field.tsx";
import { messages } from "#app/features/profile/messages.ts";
import { switchLabels, typedTexts } from "#app/features/profile/profile-fields.ts";
import type { ProfileSwitchName, TypedTextName } from "#app/features/profile/profile-fields.ts";
import { countSavedCharacters, maxTyped, publicName } from "#app/features/profile/rules.ts";
import { Panel } from "#app/ui/components/panel.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";

import type { ProfileFormAction, ProfileFormState } from "./form-state.ts";

/** Avatar, name, bio and handle. Fields never cut off pasted text; a counter and an error say that it is too long. */
export function DetailsSection({ state, dispatch, ownId, origin, files }: DetailsProps) {
  const { draft, errors } = state;
  const textField = (name: TypedTextName) => ({
    name,
    label: typedTexts[name].label,
    limit: limitOf(name),
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      dispatch({ kind: "text", name, value: event.currentTarget.value }),
    error: errors[name],
    dir: "auto",
  });
  return (
    <Panel title="Profile Details">
      <div className="grid gap-5">
        <AvatarField name={publicName(draft.displayName.slice(0, maxTyped))} files={files} />
        <Field {...textField("displayName")} placeholder="Your name" autoComplete="off" />
        <TextAreaField
          {...textField("bio")}
          limit={{ ...limitOf("bio"), isAlwaysCounted: true }}
          className="max-h-80"
        />
        <HandleField
          value={draft.handle}
          saved={state.saved.handle}
          ownId={ownId}
          origin={origin}
          name={draft.displayName}
          error={errors["handle"]}
          onChange={(value) => dispatch({ kind: "text", name: "handle", value })}
        />
        <ProfileSwitch {...{ state, dispatch }} name="isListed" hint={messages.listed} />
      </div>
    </Panel>
  );
}

function limitOf(name: TypedTextName) {
  const { maxLength: max, tooLong } = typedTexts[name];
  return { max, tooLong, count: countSavedCharacters };
}

export function ProfileSwitch({ state, dispatch, name, ...input }: ProfileSwitchProps) {
  return (
    <Switch
      name={name}
      label={switchLabels[name]}
      checked={state.draft[name]}
      onChange={(event) => dispatch({ kind: "switch", name, isOn: event.currentTarget.checked })}
      {...input}
    />
  );
}

type SectionProps = { state: ProfileFormState; dispatch: (action: ProfileFormAction) => void };
type ProfileSwitchProps = SectionProps & Partial<ComponentProps<typeof Switch>> & { name: ProfileSwitchName };

type DetailsProps = SectionProps & {
  ownId: string;
  /** Of the public pages: "https://meishi.example". */
  origin: string;
  files: ProfileFiles;
};
