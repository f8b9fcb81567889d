// A web server on this machine's loopback with canned answers.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <stdexcept>
#include <string>
#include <thread>

namespace actlab {

/// Serves one connection after the other; each is closed after its answer.
class HttpServer {
 public:
  struct Answer {
    std::string status = "200 OK";
    std::string headers = {};  ///< lines; Content-Length is among them where it is wanted
    std::string body = {};
    bool stall = false;  ///< keeps the connection open after the body until the other side ends it
  };

  /// A body with its length, less than announced where `missing` is above 0.
  static Answer file(const std::string& body, std::size_t missing = 0) {
    return {.headers = "Content-Length: " + std::to_string(body.size()) + "\r\n",
            .body = body.substr(0, body.size() - missing)};
  }

  explicit HttpServer(std::map<std::string, Answer> answers)
      : answers_(std::move(answers)), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* address = reinterpret_cast<sockaddr*>(&address_);
    if (::bind(socket_, address, size) != 0 || ::listen(socket_, 8) != 0 ||
        ::getsockname(socket_, address, &size) != 0)
      throw std::runtime_error("no socket on the loopback");
    thread_ = std::thread([this] { serve(); });
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) + path;
  }

 private:
  void serve() {
    for (int connection; (connection = ::accept(socket_, nullptr, nullptr)) >= 0; ::close(connection))
      answer(connection);
  }

  void answer(int connection) const {
    std::string request;
    char bytes[1024];
    while (request.find("\r\n\r\n") == std::string::npos) {
      const ssize_t count = ::recv(connection, bytes, sizeof bytes, 0);
      if (count <= 0) return;
      request.append(bytes, static_cast<std::size_t>(count));
    }
    const std::size_t begin = request.find(' ') + 1;
    const auto found = answers_.find(request.substr(begin, request.find(' ', begin) - begin));
    const Answer absent{.status = "404 Not Found", .headers = "Content-Length: 6\r\n", .body = "absent"};
    const Answer& answer = found == answers_.end() ? absent : found->second;
    send_all(connection, "HTTP/1.1 " + answer.status + "\r\nConnection: close\r\n" + answer.headers + "\r\n" +
                             answer.body);
    while (answer.stall && ::recv(connection, bytes, sizeof bytes, 0) > 0) {
    }
  }

  static void send_all(int connection, const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<std::size_t>(count);
    }
  }

  std::map<std::string, Answer> answers_;
  int socket_;
  sockaddr_in address_ = {};
  std::thread thread_;
};

}  // namespace actlab
