// The one unit that includes Boost.Beast: some 20 s to compile.
#include "apps/seat/seat_server.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <list>
#include <optional>
#include <sys/random.h>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "topology/mechanism.hpp"

namespace semirec::seat {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using Failure = beast::error_code;

constexpr std::size_t kMostRequest = 8 * 1024;
constexpr std::size_t kMostMessage = 4 * 1024;
constexpr auto kPatience = std::chrono::seconds(10);  // of a request
constexpr std::size_t kMostWaiting = 8;               // notices to a client that does not read

std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw ModelError(std::string("no random numbers for the page's token: ") +
                     std::strerror(errno));
  static constexpr char digits[] = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += digits[byte >> 4];
    token += digits[byte & 15];
  }
  return token;
}

/// Takes the same time wherever they differ.
bool same_token(beast::string_view given, const std::string& token) {
  if (given.size() != token.size()) return false;
  unsigned char differs = 0;
  for (std::size_t k = 0; k < token.size(); ++k)
    differs |= static_cast<unsigned char>(given[k] ^ token[k]);
  return differs == 0;
}

}  // namespace

class SeatClient;

class SeatServer::Impl {
 public:
  Impl(const SeatServerSettings& settings, SeatHandlers handlers);
  ~Impl();

  int port() const { return port_; }
  const std::string& token() const { return token_; }

  // of the clients, on the server's thread
  const SeatHandlers& handlers() const { return handlers_; }
  bool is_here(beast::string_view place) const;
  /// Ends the client's life once the caller has returned.
  void leave(SeatClient* client);
  bool take_wheel(SeatClient* client);
  bool is_driver(const SeatClient* client) const { return driver_ == client; }
  void tell_all(const std::string& text);

 private:
  void accept();
  void accept_later();
  void send_frames();

  SeatHandlers handlers_;
  std::string token_;
  int port_ = 0, interval_, most_clients_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer timer_{io_}, pause_{io_};
  std::list<std::shared_ptr<SeatClient>> clients_;
  SeatClient* driver_ = nullptr;
  std::thread thread_;
};

/// One connection: a request, which is answered or becomes a WebSocket.
class SeatClient : public std::enable_shared_from_this<SeatClient> {
 public:
  SeatClient(tcp::socket socket, SeatServer::Impl& server)
      : server_(server), stream_(std::move(socket)) {}

  void start() {
    parser_.emplace();
    parser_->header_limit(kMostRequest);
    parser_->body_limit(kMostRequest);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](Failure failure, std::size_t /*bytes*/) {
                       self->answer(failure);
                     });
  }

  void close() {
    Failure ignored;
    beast::get_lowest_layer(socket_ ? socket_->next_layer() : stream_).socket().close(ignored);
  }

  /// A frame, unless the last one is still on its way.
  void send_frame(const std::shared_ptr<const std::vector<float>>& frame) {
    if (open_ && waiting_.empty()) send({nullptr, frame});
  }

  void tell(const std::string& text) {
    if (open_ && waiting_.size() < kMostWaiting)
      send({std::make_shared<const std::string>(text), nullptr});
  }

 private:
  struct Message {
    std::shared_ptr<const std::string> text;
    std::shared_ptr<const std::vector<float>> numbers;
  };

  void answer(Failure failure) {
    if (failure) {
      server_.leave(this);
      return;
    }
    const http::request<http::string_body> request = parser_->release();
    const beast::string_view target = request.target();
    const std::size_t mark = target.find('?');
    const beast::string_view path = target.substr(0, mark);
    const beast::string_view query =
        mark == beast::string_view::npos ? beast::string_view{} : target.substr(mark + 1);
    const bool upgrade = websocket::is_upgrade(request);
    const bool known =
        query.substr(0, 6) == "token=" &&
        same_token(query.substr(query.size() < 6 ? query.size() : 6), server_.token());
    const auto origin = request.find(http::field::origin);
    const bool own_origin = origin == request.end() || (origin->value().substr(0, 7) == "http://" &&
                                                        server_.is_here(origin->value().substr(7)));
    if (!server_.is_here(request[http::field::host]))
      refuse(request, http::status::forbidden, "another host\n");
    else if (!own_origin || (upgrade && origin == request.end()))
      refuse(request, http::status::forbidden, "another origin\n");
    else if (!known)
      refuse(request, http::status::forbidden, "no such token\n");
    else if (upgrade && path == "/socket")
      open(request);
    else if (request.method() != http::verb::get || path != "/")
      refuse(request, http::status::not_found, "nothing here\n");
    else
      respond(request, http::status::ok, "text/html; charset=utf-8", server_.handlers().page());
  }

  void refuse(const http::request<http::string_body>& request, http::status status,
              const char* why) {
    respond(request, status, "text/plain; charset=utf-8", why);
  }

  void respond(const http::request<http::string_body>& request, http::status status,
               const char* type, std::string body) {
    response_.emplace(status, request.version());
    response_->set(http::field::content_type, type);
    response_->set(http::field::cache_control, "no-store");
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("Referrer-Policy", "no-referrer");
    response_->set("X-Frame-Options", "DENY");
    response_->keep_alive(false);
    response_->body() = std::move(body);
    response_->prepare_payload();
    stream_.expires_after(kPatience);
    http::async_write(stream_, *response_,
                      [self = shared_from_this()](Failure /*failure*/, std::size_t /*bytes*/) {
                        self->server_.leave(self.get());
                      });
  }

  void open(const http::request<http::string_body>& request) {
    stream_.expires_never();
    socket_.emplace(std::move(stream_));
    socket_->set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    socket_->read_message_max(kMostMessage);
    socket_->async_accept(request, [self = shared_from_this()](Failure failure) {
      if (failure) {
        self->server_.leave(self.get());
        return;
      }
      self->open_ = true;
      self->tell(self->server_.handlers().hello());
      self->listen();
    });
  }

  void listen() {
    buffer_.clear();
    socket_->async_read(buffer_, [self = shared_from_this()](Failure failure, std::size_t) {
      if (failure) {
        self->server_.leave(self.get());
        return;
      }
      self->hear(beast::buffers_to_string(self->buffer_.data()));
      self->listen();
    });
  }

  void hear(const std::string& message) {
    if (message == R"({"type":"drive"})") {
      const bool has = server_.take_wheel(this);
      tell(has ? R"({"type":"role","role":"driver"})" : R"({"type":"role","role":"watcher"})");
    } else if (server_.is_driver(this)) {
      if (const std::string news = server_.handlers().driver_said(message); !news.empty())
        server_.tell_all(news);
    }
  }

  void send(Message message) {
    waiting_.push_back(std::move(message));
    if (waiting_.size() == 1) write();
  }

  void write() {
    const Message& next = waiting_.front();
    const auto done = [self = shared_from_this()](Failure failure, std::size_t /*bytes*/) {
      if (failure) {
        self->server_.leave(self.get());
        return;
      }
      self->waiting_.pop_front();
      if (!self->waiting_.empty()) self->write();
    };
    socket_->text(next.text != nullptr);
    if (next.text)
      socket_->async_write(asio::buffer(*next.text), done);
    else
      socket_->async_write(asio::buffer(*next.numbers), done);
  }

  SeatServer::Impl& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kMostRequest + kMostMessage};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<websocket::stream<beast::tcp_stream>> socket_;
  std::deque<Message> waiting_;
  bool open_ = false;
};

SeatServer::Impl::Impl(const SeatServerSettings& settings, SeatHandlers handlers)
    : handlers_(std::move(handlers)),
      token_(random_token()),
      interval_(settings.frame_interval),
      most_clients_(settings.most_clients) {
  const tcp::endpoint here(asio::ip::make_address_v4("127.0.0.1"),
                           static_cast<unsigned short>(settings.port));
  try {
    acceptor_.open(here.protocol());
    acceptor_.set_option(asio::socket_base::reuse_address(true));
    acceptor_.bind(here);
    acceptor_.listen();
  } catch (const boost::system::system_error& error) {
    throw ModelError("port " + std::to_string(settings.port) + " of 127.0.0.1: " +
                     error.code().message() + ", expected one that is free (--port; 0 takes any)");
  }
  port_ = acceptor_.local_endpoint().port();
  accept();
  send_frames();
  thread_ = std::thread([this] {
    // what one client causes ends with its own handler
    for (bool over = false; !over;) {
      try {
        io_.run();
        over = true;
      } catch (const std::exception&) {
      }
    }
  });
}

SeatServer::Impl::~Impl() {
  io_.stop();
  thread_.join();
}

bool SeatServer::Impl::is_here(beast::string_view place) const {
  const std::string port = ":" + std::to_string(port_);
  return place == "127.0.0.1" + port || place == "localhost" + port;
}

void SeatServer::Impl::leave(SeatClient* client) {
  if (driver_ == client) {
    driver_ = nullptr;
    tell_all(R"({"type":"role","role":"free"})");
  }
  client->close();
  clients_.remove_if([&](const auto& other) { return other.get() == client; });
}

bool SeatServer::Impl::take_wheel(SeatClient* client) {
  if (driver_ == nullptr) driver_ = client;
  return driver_ == client;
}

void SeatServer::Impl::tell_all(const std::string& text) {
  for (const auto& client : clients_) client->tell(text);
}

void SeatServer::Impl::accept() {
  acceptor_.async_accept([this](Failure failure, tcp::socket socket) {
    if (failure) return accept_later();
    accept();  // first: what this client causes ends with it
    if (clients_.size() >= static_cast<std::size_t>(most_clients_)) return;
    socket.set_option(tcp::no_delay(true), failure);
    clients_.push_back(std::make_shared<SeatClient>(std::move(socket), *this));
    clients_.back()->start();
  });
}

void SeatServer::Impl::accept_later() {
  constexpr std::chrono::milliseconds kPause{100};  // until there are files to open again
  pause_.expires_after(kPause);
  pause_.async_wait([this](Failure failure) {
    if (!failure) accept();
  });
}

void SeatServer::Impl::send_frames() {
  timer_.expires_after(std::chrono::milliseconds(interval_));
  timer_.async_wait([this](Failure failure) {
    if (failure) return;
    send_frames();  // first: what one frame causes ends with it
    if (handlers_.news)
      for (std::string text = handlers_.news(); !text.empty(); text = handlers_.news())
        tell_all(text);
    auto frame = std::make_shared<std::vector<float>>();
    if (!clients_.empty() && handlers_.take_frame(*frame))
      for (const auto& client : clients_) client->send_frame(frame);
  });
}

SeatServer::SeatServer(const SeatServerSettings& settings, SeatHandlers handlers)
    : impl_(std::make_unique<Impl>(settings, std::move(handlers))) {}
SeatServer::~SeatServer() = default;

int SeatServer::port() const { return impl_->port(); }
const std::string& SeatServer::token() const { return impl_->token(); }
std::string SeatServer::url() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/?token=" + token();
}

}  // namespace semirec::seat
