-- Files of news and banners may have up to 10 MB.
alter table media drop constraint media_data_check;
alter table media add constraint media_data_check check (octet_length(data) between 1 and 10485760);
