import { useLeaveQuestion } from '../../forms/use-leave-question.tsx';
import { useAdminText } from './use-admin-text.ts';

/** Asks before somebody leaves unsaved changes. @returns the question, and what lets the next change of the address pass */
export function useUnsaved(isDirty: boolean): ReturnType<typeof useLeaveQuestion> {
  const { unsaved: title, unsavedText, stay, leave } = useAdminText();
  return useLeaveQuestion(isDirty, { title, text: unsavedText, stay, leave });
}
