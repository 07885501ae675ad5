/**
 * Output options of ffmpeg with which encoded frames keep their times, to 1/90000 s. Without them ffmpeg repeats and
 * drops frames to make the rate constant, or rounds times to the average rate.
 */
export const OWN_TIMES = ['-vsync', 'vfr', '-enc_time_base', '1:90000'];
