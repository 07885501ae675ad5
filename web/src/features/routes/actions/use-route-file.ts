import type { CalculationType } from '@ridewatch/contract/bus-routes';
import {
  createRouteFromFile,
  type RouteFileAnswer,
  updateRouteFromFile,
} from '@ridewatch/contract/routes';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../../calls/api.ts';
import { uploading } from './upload.ts';

/** The form with a route file. */
export interface RouteFileForm {
  readonly file: File;
  /** The route to update, or the fields of a new one. */
  readonly target:
    | { readonly groupId: number }
    | {
        readonly clientId: number;
        readonly name: string | undefined;
        readonly type_calculation: CalculationType;
      };
  readonly choice: string | undefined;
  /** Index of the stop where a loop turns back. */
  readonly turn: number | undefined;
  readonly validFrom: string;
  /** The server reads the file and saves nothing. */
  readonly preview: boolean;
  /** The user has confirmed stops that are far apart. */
  readonly confirm_far?: true | undefined;
}

/** Sends a route file to be read or saved; each call aborts the previous one. */
export function useRouteFile() {
  const [progress, setProgress] = useState<number>();
  const controllerInUse = useRef<AbortController>(null);
  const create = useAction(createRouteFromFile);
  const update = useAction(updateRouteFromFile);
  const abort = () => {
    controllerInUse.current?.abort();
    controllerInUse.current = null;
    setProgress(undefined);
  };
  useEffect(() => () => controllerInUse.current?.abort(), []);
  /** @returns undefined if it was aborted */
  const send = async (form: RouteFileForm): Promise<RouteFileAnswer | undefined> => {
    abort();
    const controller = new AbortController();
    controllerInUse.current = controller;
    setProgress(0);
    const common = { signal: controller.signal, transport: uploading(setProgress) };
    const { file, target, choice, turn, validFrom } = form;
    const preview = form.preview ? 'true' : 'false';
    const confirm_far = form.confirm_far && 'true';
    const body = { file, preview, choice, turn, confirm_far, valid_from: validFrom } as const;
    try {
      return 'groupId' in target
        ? await update.mutateAsync({ ...common, body: { ...body, ...target } })
        : await create.mutateAsync({ ...common, body: { ...body, ...target } });
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      if (controllerInUse.current === controller) {
        controllerInUse.current = null;
        setProgress(undefined);
      }
    }
  };
  return { send, abort, progress };
}
